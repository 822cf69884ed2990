"""LLVM: a text in its language as machine code of this machine, and that as a function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ppnsim.machine_code.program import ENTRY

_SPEED = 3  # of LLVM's levels; vectors as well


@cache
def _binding() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def _target() -> Any:
    binding = _binding()
    target = binding.Target.from_default_triple()
    name, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=name, features=features, opt=_SPEED, jit=True)


@cache
def machine() -> str:
    """Return a text that is another one for a processor, or an LLVM, whose machine code may be another one."""
    binding = _binding()
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {features} {binding.llvm_version_info} {_SPEED}"


def object_code(text: str) -> bytes:
    """Return the machine code of a text in LLVM's language."""
    binding = _binding()
    module = binding.parse_assembly(text)
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=_SPEED)
    options.loop_vectorization = options.slp_vectorization = True
    builder = binding.create_pass_builder(_target(), options)
    builder.getModulePassManager().run(module, builder)
    made: bytes = _target().emit_object(module)
    return made


_in_use: list[Any] = []  # what keeps machine code in memory


def loaded(code: bytes) -> Callable[[Any], None]:
    """Return machine code as a function of the address of its words (`program`)."""
    binding = _binding()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _in_use.append(engine)
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address(ENTRY))
