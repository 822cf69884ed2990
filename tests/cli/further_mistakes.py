"""Mistakes of which only the record says what is answered: combinations of options, places, and values at a limit."""

from __future__ import annotations

import shlex

_LINES = """
lesson -o x.md
lesson 1 -o x.txt
lesson 0
run net.toml --json no/where.json
run net.toml --out net.toml/inside
run net.toml --out o --window 5:5
run net.toml --out o --window 5
run net.toml --out o --window 5:4
run net.toml --depth c=0
run net.toml --depth d=3
run net.toml --depth c=x
run net.toml --depth c=3 --depth c=30
run net.toml --depth 3 --depth 30
run k.c -D N=3 -D N
run k.c --latency a=3 --latency a=3
run k.c --latency 99999999999999999999
run k.c --convention sdf3
draw net.toml -o x.svg --convention sdf3
sweep net.toml --vary c.depth=1,2 --depth c=3
memory DDR4-2400 --vary banks=1 --vary banks=2
estimate net.toml --style frozen
run net.toml --style frozn
run net.toml --engine fast
run net.toml --iterations 2
run net.toml --fast-forward --engine compiled
run net.toml --testbench k.c
run net.toml -D N=3
run k.c --clock 0
run k.c --clock "5 m"
run k.c --set n=3.5
run k.c -D 3=4
run k.c --function nosuch
run k.c --latency b=3
run k.c --latency a=nosuch.txt
run k.c --latency -1
run k.c --ii 0
run k.c --testbench k.c
run k.c --time-limit 0
run k.c --testbench two.c --time-limit 0
run k.c --device nosuch
run k.c --solution s1
run two.c
run net.toml net.json
run scenarios/platforms/image_filter.toml --style elastic
run scenarios/networks/two_fpgas.toml --engine compiled
run scenarios/networks/two_fpgas.toml --out o --window 5:9
run scenarios/networks/sample_rate_converter.toml --iterations 0
explain net.toml --top -1
explain net.toml --plot x.doc
explain net.toml k.c
size net.toml --no-front --plot f.svg
size net.toml net.json --plot f.svg
size net.toml --limit c=1 --limit c=2
size net.toml --limit c
size net.toml --limit c=3:2
size net.toml --limit c=0
size net.toml --limit d=3
size net.toml --start nosuch.json
size net.toml --start none.json
size net.toml --start half.json
size net.toml --start notes.txt
size net.toml --cost tokens --memories net.toml
size net.toml --cost gold
size net.toml --target 0
size net.toml --target -3
size net.toml --budget 0
size net.toml --group c
size net.toml --group c,d
size net.toml --within -1
size net.toml --within 2
size net.toml --together
size net.toml -o sized.csv
sweep net.toml --vary c.depth=1,2 --jobs 0
sweep net.toml --vary c.depth=1,2 --samples 0
sweep net.toml --vary c.depth=2:1
sweep net.toml --vary c.depth=0,1
sweep net.toml --vary c.depth=
sweep net.toml --vary c.depth
sweep net.toml --vary c.width=3
sweep net.toml --vary d.depth=3
sweep net.toml --vary a.depth=3
sweep net.toml --vary c.depth=1,2 --vary c.depth=3
sweep net.toml --vary c.depth=1,2 --merge nosuch.csv
sweep net.toml --vary c.depth=1,2 -o rows.txt
sweep net.toml --vary c.depth=1,2 -o no/where.csv
sweep net.toml --vary c.depth=1,2 --merge notes.txt -o rows.csv
sweep net.toml
estimate net.toml --vary c.depth=1,2 --csv rows.csv
estimate net.toml --model nosuch
compare net.toml --model absolute --model absolute
compare net.toml --model nosuch
compare net.toml --model unknown.py
compare net.toml --tolerance -1
compare net.toml --tolerance some
compare net.toml --plot x.doc
compare scenarios/opencl/vecadd.toml --vary W=0
compare scenarios/opencl/vecadd.toml --vary W=x
compare scenarios/opencl/vecadd.toml --vary X=3
compare k.c --model lost
compare k.c --vary N=2
compare k.c --vary a=1
draw net.toml -o x.doc
draw net.toml -o no/where.svg
draw k.c -o net.toml/x.svg
export net.toml -o x.doc
export net.toml -o x.vcd --table states
export net.toml -o x.csv --table nosuch
export net.toml -o x.csv
export net.toml -o x.json --window 1:2
export net.toml -o x.vcd --flows
export scenarios/platforms/image_filter.toml -o x.toml
export scenarios/platforms/image_filter.toml -o x.csv --table firings
report net.toml k.c --serve -o x.html
report net.toml -o x.txt
report net.toml -o x.html --port 3
report net.toml -o x.html --window x
derive k.c --unfold a -o d.json
derive k.c --unfold a=1 -o d.json
derive k.c --unfold nosuch=2 -o d.json
derive k.c --cut a=1 -o d.json
derive k.c --cut a=4097 -o d.json
derive k.c --cut a@j=2 -o d.json
derive k.c --skew a@i=j -o d.json
derive k.c --skew a@i=2*j -o d.json
derive k.c --skew a -o d.json
derive k.c --interchange a@i -o d.json
derive k.c --interchange a@i,j -o d.json
derive k.c --merge a -o d.json
derive k.c --merge x=a,b -o d.json
derive k.c -o x.doc
derive net.toml -o d.json
transform k.c
transform k.c --unfold a=2 -o k.c
transform k.c --unfold a=2 -o no/where.c
profile k.c --latency a=0.5
profile k.c --clock "3 lightyears"
profile k.c --csv no/where.csv
schedule k.c --release x
schedule k.c --release 2022
schedule k.c --pragma x
schedule k.c --pragma "99: unroll"
schedule k.c --pragma "1: unroll factor=0"
schedule k.c --pragma "1: fly"
schedule k.c --loop 99 --plot x.svg
schedule k.c --clock 0.1ns
schedule k.c --clock 1ns
schedule k.c --device nosuch
schedule k.c --device xc7z021
schedule k.c --function nosuch
schedule k.c --reports nosuch
schedule k.c --reports notes.txt
schedule k.c --flow x
schedule k.c --pragma array_partition
schedule k.c --function ''
schedule k.c -I ''
schedule k.c --device nosuch.toml
run k.c --trace ''
size net.toml --cost fpga --memories nosuch.toml
size net.toml --seconds x
schedule half.c
schedule net.toml
lost k.c --design nosuch
lost k.c --design "pipeline 9"
lost k.c --learn N
lost k.c --learn N --at N
lost k.c --at N=3
lost net.toml --design none
lost k.c --style frozen
explore-splits k.c --target 0
explore-splits k.c --max-processes 0
explore-splits k.c --keep nosuch
explore-splits k.c --most 3
explore-directives k.c --most 3
explore-directives k.c --exhaustive --most 0
roofline k.c
roofline k.c --memory nosuch --device xcvu9p
roofline k.c --device nosuch
roofline scenarios/rooflines/nbody.toml --device xcvu9p
roofline scenarios/rooflines/nbody.toml --metric nosuch
roofline k.c --device xcvu9p --memory DDR4-2400 --quanta 0
roofline k.c --device xcvu9p --memory DDR4-2400 --argument b=3
opencl scenarios/opencl/vecadd.toml --design XX:n
opencl scenarios/opencl/vecadd.toml --design UL4
opencl scenarios/opencl/vecadd.toml --design UL0:n
opencl scenarios/opencl/vecadd.toml --set X=3
opencl scenarios/opencl/vecadd.toml --set N=0
opencl scenarios/opencl/vecadd.toml --tune --design UL2:n
opencl scenarios/opencl/vecadd.toml --vary N=1:200000
opencl scenarios/opencl/mm.cl
opencl scenarios/opencl/mm.cl --board nosuch
platform nosuch
platform preset:nosuch
platform net.toml
platform scenarios/platforms/image_filter.toml --to x.doc
memory nosuch
memory HBM2 --vary banks=0
memory HBM2 --vary banks=x
memory HBM2 --vary bank=1
memory HBM2 --vary banks --requests 99
memory HBM2 --vary banks --requests 10000001
memory net.toml
styles --style nosuch
"""
FURTHER = [shlex.split(line) for line in _LINES.splitlines() if line]
"""Command lines in the folder of the other mistakes."""
