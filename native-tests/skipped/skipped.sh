#!/usr/bin/env bash
# Ends the build: says in at most three lines which tests were skipped, and what would bring them. Nothing skipped is
# nothing said. Reads the reports that surefire left.
# Usage: skipped.sh ROOT DATA, the project's folder and the one that -Dcairn.shared names
set -euo pipefail
root=$1 data=$2

# One line a skipped test: why, as the test says it after "skipped: ".
reasons=$(find "$root" -path '*/surefire-reports/*' -name 'TEST-*.xml' -exec grep -ho '<skipped[^>]*' {} + 2> /dev/null |
  sed -e 's/^<skipped *//' -e 's/.*message="\([^"]*\)".*/\1/' -e 's/.*skipped: //' -e 's/&#10;.*//' \
    -e 's/&quot;/"/g' -e "s/&apos;/'/g" -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' || true)
[ -n "$reasons" ] || exit 0

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
