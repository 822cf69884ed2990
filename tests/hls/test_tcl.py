"""Tcl as projects use it: values that tclsh 8.6 gives, typed here, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.project.tcl import Tcl


def run(tmp_path: Path, script: str, arguments: tuple[str, ...] = ()) -> list[list[str]]:
    """Return the commands that are none of Tcl's, word by word."""
    path = tmp_path / "run_hls.tcl"
    path.write_text(script, encoding="utf-8")
    told: list[list[str]] = []
    Tcl(str(path), arguments, lambda name, words, _: told.append([name, *words])).run()
    return told


def refused(tmp_path: Path, script: str) -> str:
    with pytest.raises(InputError) as error:
        run(tmp_path, script)
    return str(error.value).removeprefix(f"{tmp_path / 'run_hls.tcl'}:")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7.0/2", "3.5"), ("6.0/2", "3.0"), ("0x10+1", "17"), ("-7/2", "-4"), ("-7%3", "2"), ("7 / 2 * 2", "6"),
        ("1?2:3", "2"), ("0?1:0?5:6", "6"), ("(0 ? 1 : 2) + 3", "5"), ('"a" in {a b}', "1"), ('"a" ni {a b}', "0"),
        ("{a b} in {x {a b}}", "1"), ("!0", "1"), ("!3", "0"), ("-(3-5)", "2"), ("+4", "4"), ("2-3-4", "-5"),
        ("1 == 1.0", "1"), ('"a" == "b"', "0"), ('"a" != "b"', "1"), ("3 > 2 == 1", "1"), ('"a" eq "a" && 1', "1"),
        ('"1" ne "1.0"', "1"), ("2 < 2", "0"), ("2 <= 2", "1"), ("2 >= 3", "0"), ("3 >= 3", "1"), ("2 > 2", "0"),
        ("yes && off", "0"), ("no || on", "1"), ("true && !false", "1"), ("1 || 0 && 0", "1"),
        ("[llength {a b}] * 2", "4"),
        ('"$n" eq "5"', "1"), ("${n} + $n", "10"), ("2 + 3 * 4", "14"), ("10 - 4 / 2", "8"), ("$l(k) - 1", "2"),
    ],
)  # fmt: skip
def test_expressions(expression: str, value: str, tmp_path: Path) -> None:
    assert run(tmp_path, f"set n 5\nset l(k) 3\nsay [expr {{{expression}}}]") == [["say", value]]


@pytest.mark.parametrize(
    ("command", "value"),
    [
        ("lindex {a {b c} d} 1", "b c"), ("lindex {a {b c}} 1 0", "b"), ("lindex {a b} end", "b"),
        ("lindex {a b} end-1", "a"),
        ("lindex {a b} 2", ""), ("lindex {a b} -1", ""), ("lrange {a b c d} 1 end-1", "b c"),
        ("lrange {a b} -1 0", "a"),
        ("split a:b:c :", "a b c"), ("split {a b}", "a b"), ("join {a b} -", "a-b"), ("join {a {b c}}", "a b c"),
        ("concat {a b} { c } {}", "a b c"), ("list a {b c} {}", "a {b c} {}"), ("llength {a {b c}}", "2"),
        ("llength {}", "0"),
        ("string toupper aB", "AB"), ("string tolower aB", "ab"), ("string trim { x }", "x"), ("string equal a A", "0"),
        ("string first hls vitis_hls", "6"), ("string last s vitis_hls", "8"), ("string range 2023.2 0 3", "2023"),
        ("string range abc end-1 end", "bc"), ("string index abc end", "c"), ("string length abc", "3"),
        ("string match xc* xcu280", "1"), ("string match -nocase XC? xcuv", "0"), ("string compare a b", "-1"),
        ("string map {- _ . {}} a-b.c", "a_bc"), ("string map {a 1 ab 2} abab", "1b1b"), ("string trim xax x", "a"),
        ("string trimleft xxax x", "ax"), ("string trimright xax x", "xa"), ("string repeat ab 3", "ababab"),
        ("lsearch {zynq virtexu} virtex*", "1"), ("lsearch -exact {a b*} b*", "1"), ("lsearch {a b} c", "-1"),
        ("lreplace {a b c} 1 end x", "a x"), ("lreplace {a b c} 1 1", "a c"), ("lreverse {a b c}", "c b a"),
        ("format %s_%02d_%.1f a 7 3.33", "a_07_3.3"), ("regsub -all {a+} baab X", "bXb"),
        ("regsub {(b)} ab {<\\1&>}", "a<bb>"), ("lassign {1 2 3} p q", "3"), ("array size k", "2"),
        ("array get k", "x 1 {y z} 2"), ("regexp -nocase {B(.)} abc", "1"), ("unset n", ""),
        ("switch -glob xcu50 { xcu2* {set n 1} xcu* {set n 2} default {set n 3} }", "2"),
        ("switch b { a - b - c {set n 1} default {set n 2} }", "1"),
        ("switch -exact -- z a {set n 1} default {set n 4}", "4"),
        ("string equal a a", "1"), ("string equal -nocase aB Ab", "1"), ("incr n 4", "9"), ("incr n", "6"),
        ("incr new", "1"),
        ("append n 1 2", "512"), ("append v a b", "ab"), ("lappend w {x y} z", "{x y} z"), ("lappend n 1", "5 1"),
        ("set n", "5"), ("info exists n", "1"), ("info exists m", "0"), ("file join a b.cpp", "a/b.cpp"),
        ("file dirname a/b.cpp", "a"), ("file tail a/b.cpp", "b.cpp"), ("file rootname a/b.cpp", "a/b"),
        ("file extension a/b.cpp", ".cpp"), ("file exists run_hls.tcl", "1"), ("file exists gone", "0"),
        ("glob run*.tcl", "run_hls.tcl"),
        ("glob -directory . -nocomplain *.{c,tcl}", "run_hls.tcl"),
        ("pwd", "."), ("file mkdir out", ""), ("catch {set n 7}", "0"),
        ("puts hello", ""), ("lsort {b a {c d} B}", "B a b {c d}"), ("lsort {}", ""),
        ("dict set d x 1", "x 1"), ("dict get {x 1 y {2 3}} y", "2 3"), ("dict keys {x 1 y 2}", "x y"),
        ("dict values {x 1 y 2}", "1 2"), ("dict exists {x 1} y", "0"), ("dict size {x 1 x 2}", "1"),
        ("dict create x 1 {y z} 2", "x 1 {y z} 2"),
        ("glob -types d *", ""), ("glob -type {f r} -path run_ *", "run_hls.tcl"),
        ("array set m {a 1 b {2 3}}", ""), ("array exists m", "0"), ("array exists k", "1"),
        ("array names k", "x {y z}"),
        ("regexp {^a(.)c} xabc", "0"), ("regexp {a(.)c} xabc whole part more", "1"), ("regexp {b+} abbc", "1"),
        ("lindex $argv 1", "c"), ("set argc", "2"), ("return_5", "5"), ("add 2", "5"), ("add 2 4", "6"),
        ("every a {b c}", "a-b c"),
    ],
)  # fmt: skip
def test_values_of_commands(command: str, value: str, tmp_path: Path) -> None:
    script = f"""set n 5
array set k {{x 1 {{y z}} 2}}
proc return_5 {{}} {{ if {{1}} {{ return 5 }} ; never }}
proc add {{a {{b 3}}}} {{ expr {{$a + $b}} }}
proc every {{args}} {{ join $args - }}
say [{command}]
"""
    assert run(tmp_path, script, ("a b", "c")) == [["say", value]]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("if {[info exists x] && $x > 3} {hit} else {miss}", ["miss"]),
        ("if {![info exists x] || $x > 3} {hit}", ["hit"]),
        ("set y [expr {[info exists x] ? $x : 3}]\nsay_$y", ["say_3"]),
        ("set p 3\nproc f {} {global p; set p 5}\nf\nsay_$p", ["say_5"]),
        ("proc f {} {global q; set q 5}\nf\nsay_$q", ["say_5"]),
        ("set p 3\nproc f {} {set p 5; set ::p 4}\nf\nsay_$p", ["say_4"]),
        ("set p 3\nproc f {p} {set p 5}\nf 1\nsay_$p", ["say_3"]),
        ("proc f {} {global n; incr n}\nf; f\nsay_$n", ["say_2"]),
        ("foreach {a b} {1 2 3} { say_$a$b }", ["say_12", "say_3"]),
        (
            "for {set i 0} {$i < 5} {incr i} { if {$i == 1} {continue}; if {$i == 3} {break}; say_$i }",
            ["say_0", "say_2"],
        ),
        ("set i 3\nwhile {$i > 1} { say_$i; incr i -1 }", ["say_3", "say_2"]),
        ("if 0 {a} elseif {1} then {b} else {c}", ["b"]),
        ("if {0} {a} else {c}", ["c"]),
        ("if {no} {a}", []),
        ("set name f\nproc f {} { inside }\n$name", ["inside"]),
        ("one; two ;three\n# no; never\nfour; # no", ["one", "two", "three", "four"]),
        ("say_a\\\n\nnext", ["say_a", "next"]),
        ("before\nexit\nafter", ["before"]),
        ("before\nquit", ["before"]),
        ("set l {a b}\nsay {*}$l c", ["say a b c"]),
        ('say "a b" {c $d} e\\ f', ["say a b c $d e f"]),
        ("set a(x) 1\nset k x\nsay $a($k) ${a(x)} [set a(x)]", ["say 1 1 1"]),
        ('say "[lindex {a b} 1]\\t\\$x"', ["say b\t$x"]),
        (
            "array set a {x 1 y {2 3}}\nset a(z) 4\nsay $a(y) [llength [array names a]] [array exists a]",
            ["say 2 3 3 1"],
        ),
        ("regexp {(a+)(b)?-} xaa- whole as b more\nsay <$whole> <$as> <$b> <$more>", ["say <aa-> <aa> <> <>"]),
        ("regexp {z(.)} xaa- whole\nsay [info exists whole]", ["say 0"]),
        ("proc f {to} {upvar 1 $to own; append own b}\nset v a\nf v\nsay $v", ["say ab"]),
        ("proc f {} {upvar v own; incr own(x)}\nproc g {} {set v(x) 1; f; return $v(x)}\nsay [g]", ["say 2"]),
        ("while {[gets file5 line] >= 0} { say_$line }\nsay", ["gets file5 line", "say"]),
        ("set d {x 1}\ndict set d x 2\ndict set d y 3\nsay $d", ["say x 2 y 3"]),
        ("proc f {} {global a; array set a {x 1}; array names a}\nset a(w) 0\nsay [f] $a(x)", ["say w x 1"]),
        ("set a(w) 7\nproc f {} {global a; return $a(w)}\nsay [f]", ["say 7"]),
    ],
)
def test_scripts(script: str, said: list[str], tmp_path: Path) -> None:
    assert [" ".join(words) for words in run(tmp_path, script)] == said


_UNGIVEN = "1: the environment has no variable 'PPNSIM_NOT_THERE'; give it one: PPNSIM_NOT_THERE=.. before the command"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("a\nsay [expr {1 +}]", "2: '1 +' is not an expression that is understood here"),
        ("say [expr {(1}]", "1: '(1' is not an expression that is understood here"),
        ("say [expr {1 ? 2}]", "1: '1 ? 2' is not an expression that is understood here"),
        ("say [expr {sin(1)}]", "1: 'sin(1)' is not an expression that is understood here"),
        ("say [expr {2 ** 3}]", "1: '2 ** 3' is not an expression that is understood here"),
        ('say [expr {"a" < 1}]', "1: '\"a\" < 1' is not an expression that is understood here"),
        ("string reverse abc", "1: 'string' is used in a way that is not understood here"),
        ("string equal -length 2 ab ac", "1: 'string' is used in a way that is not understood here"),
        ("string is integer 1", "1: 'string' is used in a way that is not understood here"),
        ("string repeat ab 10000000000", "1: 'string' is used in a way that is not understood here"),
        ("info commands", "1: 'info' is used in a way that is not understood here"),
        ("file size a", "1: 'file' is used in a way that is not understood here"),
        ("dict get {x 1} y", "1: 'dict' is used in a way that is not understood here"),
        ("dict get {x {y 1}} x y", "1: 'dict' is used in a way that is not understood here"),
        ("upvar #0 a b", "1: 'upvar' is used in a way that is not understood here"),
        ("incr n x", "1: 'incr' is used in a way that is not understood here"),
        ("proc f {a b} {}\n\nf 1", "3: 'f' takes a b"), ("proc f {} {}\nf 1", "2: 'f' takes no arguments"),
        ("say $x", "1: no variable 'x' is set; set it above (set x ..)"),
        ("say ${x y}", "1: no variable 'x y' is set; set it above (set x y ..)"),
        ("if {$env(PPNSIM_NOT_THERE) eq {a}} {say b}", _UNGIVEN),
        ("proc f {} {f}\nf", "1: more than 100 scripts inside each other"),
        ("proc f {} {\n  say $x\n}\nf", "2: no variable 'x' is set; set it above (set x ..)"),
        ("set_top \0", " is not text: it holds bytes of 0 (save it as UTF-8, not as UTF-16)"),
    ],
)  # fmt: skip
def test_what_is_refused_has_its_line(script: str, words: str, tmp_path: Path) -> None:
    assert refused(tmp_path, script) == words


def test_the_environment_and_the_place_of_a_script_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPNSIM_THERE", "it")
    path = tmp_path / "run_hls.tcl"
    script = (
        "say $env(PPNSIM_THERE) $::env(PPNSIM_THERE) [info exists env(PPNSIM_THERE)] [info exists ::env(PPNSIM_NOT)]"
    )
    assert run(tmp_path, f"{script} [info script] $argv0") == [["say", "it", "it", "1", "0", str(path), str(path)]]


def test_a_script_that_is_sourced_says_its_own_lines(tmp_path: Path) -> None:
    (tmp_path / "more.tcl").write_text("inner\nset from more\n", encoding="utf-8")
    assert run(tmp_path, "source more.tcl\nouter $from") == [["inner"], ["outer", "more"]]
    (tmp_path / "more.tcl").write_text("\n\nsay $gone\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"more\.tcl:3: no variable 'gone' is set"):
        run(tmp_path, "source more.tcl")


def test_what_a_sourced_script_names_lies_where_the_first_one_is_started(tmp_path: Path) -> None:
    (tmp_path / "top.cpp").touch()
    inner = tmp_path / "common" / "flow.tcl"
    inner.parent.mkdir()
    inner.write_text("if {[file exists top.cpp]} {add_files top.cpp}\nsource common/last.tcl", encoding="utf-8")
    (inner.parent / "last.tcl").write_text("set_top k", encoding="utf-8")
    assert run(tmp_path, "source common/flow.tcl") == [["add_files", "top.cpp"], ["set_top", "k"]]


def test_a_script_that_asks_the_tool_for_its_version_is_told_one(tmp_path: Path) -> None:
    script = "set v [exec [info nameofexecutable] -version]\nsay [regexp {v(20..)} $v whole year] $year"
    assert run(tmp_path, script)[-1] == ["say", "1", "2023"]
