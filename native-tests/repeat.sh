#!/usr/bin/env bash
# Shows that tests do not depend on luck: repeats them while one busy loop for each processor takes half of the machine.
#
#   native-tests/repeat.sh build [TIMES]                        mvn -B verify, 3 times
#   native-tests/repeat.sh classes [TIMES [MODULE CLASS...]]    classes of tests, 50 times each; by default those of repeat.txt,
#                                                               classes with threads, clocks or a measured heap
#
# A class runs in several JVMs, 10 rounds in each, with the options of cairn.tests.jvm. Ends with "repeat: N failed", the number of
# builds or of JVMs in which something failed, and exits with 1 if there was any. The logs of all are in target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
export ORT_DISABLE_TELEMETRY=1

loops=()
end_loops() { kill "${loops[@]}" 2>/dev/null || true; }
trap end_loops EXIT
start_loops() {
  local i
  for ((i = $(nproc); i > 0; i--)); do
    bash -c 'while kill -0 '$$' 2>/dev/null; do for ((i = 0; i < 1000000; i++)); do :; done; done' &
    loops+=($!)
  done
}

failed=0
build() { # TIMES
  local round
  start_loops
  for ((round = 1; round <= $1; round++)); do
    local log=$root/target/repeat-$round.log started=$SECONDS
    mkdir -p "$root/target/repeat-$round"
    if mvn -B -ntp verify >"$log" 2>&1; then
      echo "round $round passed in $((SECONDS - started)) s"
    else
      failed=$((failed + 1))
      echo "round $round FAILED in $((SECONDS - started)) s: $log"
      grep -E '^\[ERROR\]' "$log" | head -n 20 || true
      (cd "$root" && find . -name surefire-reports -not -path './target/*' -exec cp -r --parents {} "target/repeat-$round" \;) || true
    fi
  done
}

classes() { # TIMES, then lines "MODULE CLASS..." on standard input
  local times=$1 module names modules=() lines=() line all jvm
  while read -r line; do
    case $line in '' | '#'*) continue ;; esac
    lines+=("$line")
    modules+=("${line%% *}")
  done
  # Compiled, and the class path of each module's tests written to a file.
  mvn -B -q -ntp -DskipTests -pl "$(printf '%s\n' "${modules[@]}" | sort -u | paste -sd ,)" -am test-compile dependency:build-classpath \
    -Dmdep.outputFile=target/tests.classpath -Dmdep.includeScope=test
  # shellcheck source=../cairn
  source "$root/cairn" # find_java_home
  find_java_home
  all=$(sed -n 's:.*<cairn\.jvm>\(.*\)</cairn\.jvm>.*:\1:p' "$root/pom.xml")
  start_loops
  for line in "${lines[@]}"; do
    read -r module names <<<"$line"
    jvm=$(sed -n 's|.*<cairn.tests.jvm>\(.*\)</cairn.tests.jvm>.*|\1|p' "$module/pom.xml" "$root/pom.xml" | head -n 1)
    for name in $names; do
      local file class round log
      file=$(cd "$module/src/test/java" && find . -name "$name.java" | head -n 1)
      [ -n "$file" ] || { echo "no such class: module=$module class=$name" >&2; exit 2; }
      class=$(sed -e 's|^\./||' -e 's|\.java$||' -e 's|/|.|g' <<<"$file")
      for ((round = 0; round < times; round += 10)); do
        # shellcheck disable=SC2086 # the options of the JVM are several words
        log=$root/target/repeat-$name-$round.log
        (cd "$module" && "$java_home/bin/java" $all $jvm "-Dcairn.root=$root" "-Dcairn.shared=$root/../shared" \
          -cp "target/test-classes:target/classes:$(cat target/tests.classpath)" \
          dev.cairn.testing.Repeat $((times - round < 10 ? times - round : 10)) "$class") >"$log" 2>&1 || {
          failed=$((failed + 1))
          echo "FAILED: $class"
          grep -vE '^WARNING|^[0-9:,.]+ ' "$log" | head -n 40 || true
        }
      done
      echo "$class: $times rounds"
    done
  done
}

mkdir -p target
case ${1:-} in
  build) build "${2:-3}" ;;
  classes)
    if [ $# -gt 2 ]; then
      times=$2
      shift 2
      classes "$times" <<<"$*"
    else
      classes "${2:-50}" <native-tests/repeat.txt
    fi
    ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
echo "repeat: $failed failed"
[ "$failed" = 0 ]
