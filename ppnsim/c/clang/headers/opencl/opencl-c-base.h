/* Definitions that clang's table of OpenCL C built-ins requires: types, constants, and the vendor's attributes.
   Written for ppnsim from the OpenCL C specification; the built-in functions themselves are in libclang. */
#ifndef PPNSIM_OPENCL_C_BASE_H
#define PPNSIM_OPENCL_C_BASE_H

/* Loads and stores of vectors and pointers of built-ins exist for every address space. */
#define __opencl_c_named_address_space_builtins 1
#define __opencl_c_generic_address_space 1
#define __opencl_c_work_group_collective_functions 1
#define __opencl_c_atomic_order_acq_rel 1
#define __opencl_c_atomic_order_seq_cst 1
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_program_scope_global_variables 1
#define cl_khr_fp64 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

/* A type with its vectors; the argument of ppnsim_bits() keeps its bits, so that the reader sees no conversion. */
#define PPNSIM_WIDTH(type, width)                                          \
  typedef type type##width __attribute__((ext_vector_type(width)));        \
  type##width __attribute__((overloadable)) ppnsim_bits(type##width value);
#define PPNSIM_TYPE(type)                                    \
  type __attribute__((overloadable)) ppnsim_bits(type value); \
  PPNSIM_WIDTH(type, 2) PPNSIM_WIDTH(type, 3) PPNSIM_WIDTH(type, 4) PPNSIM_WIDTH(type, 8) PPNSIM_WIDTH(type, 16)
PPNSIM_TYPE(char)
PPNSIM_TYPE(uchar)
PPNSIM_TYPE(short)
PPNSIM_TYPE(ushort)
PPNSIM_TYPE(int)
PPNSIM_TYPE(uint)
PPNSIM_TYPE(long)
PPNSIM_TYPE(ulong)
PPNSIM_TYPE(half)
PPNSIM_TYPE(float)
PPNSIM_TYPE(double)
#undef PPNSIM_TYPE
#undef PPNSIM_WIDTH

#define true 1
#define false 0
#define NULL ((void *)0)

typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
typedef enum memory_scope {
  memory_scope_work_item, memory_scope_work_group, memory_scope_device, memory_scope_all_svm_devices,
  memory_scope_sub_group
} memory_scope;
typedef enum memory_order {
  memory_order_relaxed = 0, memory_order_acquire = 2, memory_order_release = 3, memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-SCHAR_MAX - 1)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 0xffffffffffffffffUL

#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define MAXFLOAT FLT_MAX
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52

#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_E 2.71828182845904523536
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define as_char(x) __builtin_astype(ppnsim_bits(x), char)
#define as_char2(x) __builtin_astype(ppnsim_bits(x), char2)
#define as_char4(x) __builtin_astype(ppnsim_bits(x), char4)
#define as_char8(x) __builtin_astype(ppnsim_bits(x), char8)
#define as_char16(x) __builtin_astype(ppnsim_bits(x), char16)
#define as_uchar(x) __builtin_astype(ppnsim_bits(x), uchar)
#define as_uchar2(x) __builtin_astype(ppnsim_bits(x), uchar2)
#define as_uchar4(x) __builtin_astype(ppnsim_bits(x), uchar4)
#define as_uchar8(x) __builtin_astype(ppnsim_bits(x), uchar8)
#define as_uchar16(x) __builtin_astype(ppnsim_bits(x), uchar16)
#define as_short(x) __builtin_astype(ppnsim_bits(x), short)
#define as_short2(x) __builtin_astype(ppnsim_bits(x), short2)
#define as_short4(x) __builtin_astype(ppnsim_bits(x), short4)
#define as_short8(x) __builtin_astype(ppnsim_bits(x), short8)
#define as_ushort(x) __builtin_astype(ppnsim_bits(x), ushort)
#define as_ushort2(x) __builtin_astype(ppnsim_bits(x), ushort2)
#define as_ushort4(x) __builtin_astype(ppnsim_bits(x), ushort4)
#define as_ushort8(x) __builtin_astype(ppnsim_bits(x), ushort8)
#define as_int(x) __builtin_astype(ppnsim_bits(x), int)
#define as_int2(x) __builtin_astype(ppnsim_bits(x), int2)
#define as_int3(x) __builtin_astype(ppnsim_bits(x), int3)
#define as_int4(x) __builtin_astype(ppnsim_bits(x), int4)
#define as_int8(x) __builtin_astype(ppnsim_bits(x), int8)
#define as_int16(x) __builtin_astype(ppnsim_bits(x), int16)
#define as_uint(x) __builtin_astype(ppnsim_bits(x), uint)
#define as_uint2(x) __builtin_astype(ppnsim_bits(x), uint2)
#define as_uint3(x) __builtin_astype(ppnsim_bits(x), uint3)
#define as_uint4(x) __builtin_astype(ppnsim_bits(x), uint4)
#define as_uint8(x) __builtin_astype(ppnsim_bits(x), uint8)
#define as_uint16(x) __builtin_astype(ppnsim_bits(x), uint16)
#define as_long(x) __builtin_astype(ppnsim_bits(x), long)
#define as_long2(x) __builtin_astype(ppnsim_bits(x), long2)
#define as_long4(x) __builtin_astype(ppnsim_bits(x), long4)
#define as_ulong(x) __builtin_astype(ppnsim_bits(x), ulong)
#define as_ulong2(x) __builtin_astype(ppnsim_bits(x), ulong2)
#define as_ulong4(x) __builtin_astype(ppnsim_bits(x), ulong4)
#define as_float(x) __builtin_astype(ppnsim_bits(x), float)
#define as_float2(x) __builtin_astype(ppnsim_bits(x), float2)
#define as_float3(x) __builtin_astype(ppnsim_bits(x), float3)
#define as_float4(x) __builtin_astype(ppnsim_bits(x), float4)
#define as_float8(x) __builtin_astype(ppnsim_bits(x), float8)
#define as_float16(x) __builtin_astype(ppnsim_bits(x), float16)
#define as_double(x) __builtin_astype(ppnsim_bits(x), double)
#define as_double2(x) __builtin_astype(ppnsim_bits(x), double2)
#define as_double4(x) __builtin_astype(ppnsim_bits(x), double4)

int printf(__constant const char *format, ...);

/* Attributes of kernels reach the tree of libclang only as annotations. */
#define PPNSIM_TEXT(...) #__VA_ARGS__
#define PPNSIM_NOTE(...) annotate(PPNSIM_TEXT(__VA_ARGS__))
#define reqd_work_group_size(...) PPNSIM_NOTE(reqd_work_group_size __VA_ARGS__)
#define num_simd_work_items(...) PPNSIM_NOTE(num_simd_work_items __VA_ARGS__)
#define num_vector_lanes(...) PPNSIM_NOTE(num_simd_work_items __VA_ARGS__)
#define num_compute_units(...) PPNSIM_NOTE(num_compute_units __VA_ARGS__)
#define __kernel __kernel __attribute__((annotate("kernel")))
#define kernel __kernel

#endif
