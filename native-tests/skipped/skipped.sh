#!/usr/bin/env bash
# Ends the build: says in at most four lines which tests were skipped or left out, and what would bring them. Prints
# nothing where no test was. Reads the reports that surefire left.
# Usage: skipped.sh ROOT DATA TAGS, the project's folder, the one that -Dcairn.shared names, and the tags of the tests
# that this build leaves out
set -euo pipefail
root=$1 data=$2 tags=$3

# One line a skipped test: why, as the test says it after "skipped: ".
reasons=$(find "$root" -path '*/surefire-reports/*' -name 'TEST-*.xml' -exec grep -ho '<skipped[^>]*' {} + 2> /dev/null |
  sed -e 's/^<skipped *//' -e 's/.*message="\([^"]*\)".*/\1/' -e 's/.*skipped: //' -e 's/&#10;.*//' \
    -e 's/&quot;/"/g' -e "s/&apos;/'/g" -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' || true)

lacking=$(grep -c '^no data' <<< "$reasons" || true)
others=$(grep -v '^no data' <<< "$reasons" || true)
if [ "$lacking" -gt 0 ]; then
  echo "skipped: $lacking tests or groups of tests that read ONNX's operator cases and light models, planning problems or traces"
  echo "  they need -Dcairn.shared=FOLDER, with data/{onnx-node,onnx-light,minimalloc,idealloc} (docs/benchmarks/README.md); looked in $data"
fi
if [ -n "$others" ]; then
  kinds=$(sort <<< "$others" | uniq -c | sort -rn | sed -e 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/')
  named=$(head -n 6 <<< "$kinds" | paste -sd ';' | sed 's/;/; /g')
  more=$(($(wc -l <<< "$kinds") - 6))
  [ "$more" -le 0 ] || named+="; and $more more reasons"
  echo "skipped: $(wc -l <<< "$others") tests for want of something of this machine, which brings them: $named"
fi
if [[ $tags == *long* ]]; then
  echo "left out: the long tests, also most tests of GPU kernels and all of them in other orders of threads; they run with mvn -Pall -Dgroups=long verify"
fi
