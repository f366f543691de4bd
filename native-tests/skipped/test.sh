#!/usr/bin/env bash
# Tests skipped.sh on reports made up here.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
reports=$folder/a/target/surefire-reports
mkdir -p "$reports/reverse"

check() { # what is expected, tags that are left out
  local said
  said=$(bash skipped.sh "$folder" /no/such/shared "${2:-soak}")
  [ "$said" = "$1" ] || { printf 'skipped.sh said:\n%s\nand not:\n%s\n' "$said" "$1" >&2; exit 1; }
}

echo '<testsuite skipped="0"><testcase name="a"/></testsuite>' > "$reports/TEST-a.xml"
check ''
long='left out: the long tests, also most tests of GPU kernels and all of them in other orders of threads; they run with mvn -Pall -Dgroups=long verify'
check "$long" 'soak | long'

cat > "$reports/TEST-b.xml" << 'XML'
<testcase name="b"><skipped message="Assumption failed: skipped: no data: file=x"><![CDATA[org.opentest4j]]></skipped></testcase>
<testcase name="c"><skipped message="Assumption failed: skipped: no data"/></testcase>
XML
data="skipped: 2 tests or groups of tests that read ONNX's operator cases and light models, planning problems or traces
  they need -Dcairn.shared=FOLDER, with data/{onnx-node,onnx-light,minimalloc,idealloc} (docs/benchmarks/README.md); looked in /no/such/shared"
check "$data"

cat > "$reports/reverse/TEST-c.xml" << 'XML'
<testcase name="d"><skipped type="x" message="Assumption failed: skipped: no cuDNN&#10;more"/></testcase>
<testcase name="e"><skipped message="skipped: no nvcc"/></testcase>
<testcase name="f"><skipped message="Assumption failed: skipped: no nvcc"/></testcase>
<testcase name="g"><skipped message="&lt;odd&gt; &amp; so on"/></testcase>
XML
machine='skipped: 4 tests for want of something of this machine, which brings them: no nvcc (2); no cuDNN (1); <odd> & so on (1)'
check "$data
$machine"
check "$data
$machine
$long" 'soak | long'
rm "$reports/TEST-b.xml"
check "$machine"

for reason in 1 2 3 4 5 6 7 8 9; do
  echo "<skipped message=\"skipped: reason $reason\"/>" >> "$reports/TEST-d.xml"
done
[ "$(bash skipped.sh "$folder" x soak | wc -l)" = 1 ]
bash skipped.sh "$folder" x soak | grep -q 'and 6 more reasons$'
