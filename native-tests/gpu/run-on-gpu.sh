#!/usr/bin/env bash
# Runs all that only a GPU can show: what Cairn finds on this machine, every GPU test, the benchmark. Needs NVIDIA's
# driver, bash and coreutils; the Java runtime and all jars lie beside this file. CUDA's libraries are looked for where
# they usually lie, among Python's packages, too, and in CAIRN_CUDA_LIBRARIES (folders, between colons); without them
# what needs them fails, and the rest still runs.
#
#   run-on-gpu.sh [--device N] [--quick] [--results FOLDER] [--jobs N] [--only tests|benchmark] [--match REGEX]
#                 [-- OPTIONS OF THE BENCHMARK]
#
# --jobs runs that many test classes at the same time (default 1), --match only the classes whose names match.
# Goes on after failures. A table comes last, and a page for docs/benchmarks is left in FOLDER, with the logs; it is
# results beside this file where none is named.
# Exit code 0 when all tests passed and every goal was reached, 3 when only goals were missed (as on a simulated GPU),
# 1 when something failed, 2 for wrong use, 7 when there is no GPU to use.
set -uo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
device='' quick='' results=$here/results jobs=1 only='' match=. benchmark_options=()
most_seconds=${CAIRN_MOST_SECONDS:-900} # for a class of tests; four times that for the benchmark
while [ $# -gt 0 ]; do
  case $1 in
    --device) device=${2:?} && shift 2 ;;
    --quick) quick=--quick && shift ;;
    --results) results=${2:?} && shift 2 ;;
    --jobs) jobs=${2:?} && shift 2 ;;
    --only) only=${2:?} && shift 2 ;;
    --match) match=${2:?} && shift 2 ;;
    --) shift && benchmark_options=("$@") && break ;;
    *) echo "run-on-gpu.sh: no such option: option=$1" >&2 && exit 2 ;;
  esac
done
mkdir -p "$results/logs" "$results/tmp" "$here/cache" && chmod 700 "$here/cache" || exit 1
results=$(cd "$results" && pwd)
: "${CAIRN_CUDA_CACHE:=$here/cache}" # nothing is left behind outside this folder
export CAIRN_CUDA_CACHE TORCHINDUCTOR_CACHE_DIR=$results/tmp/inductor TRITON_CACHE_DIR=$results/tmp/triton
[ -z "$device" ] || export CUDA_VISIBLE_DEVICES=$device # which makes it the first
cd "$results" || exit 1

java=("$here/jvm/bin/java" "@$here/jvm.options" -XX:+UseSerialGC -XX:-UsePerfData "-Djava.io.tmpdir=$results/tmp"
  -Dcairn.cuda=real "-Dcairn.root=$here" "-Dcairn.shared=$here/shared" -cp "$here/lib/*")
java() { # most seconds, class, arguments
  local seconds=$1
  shift
  # Standard input is the list of tests, in the loop below.
  timeout -k 10 "$seconds" "${java[@]}" "$@" </dev/null
}

rows=() failed=0 short=0 line='' code=0 result=''
row() { # what, result, passed, failed, skipped, seconds
  rows+=("$(printf '| %s | %s | %s | %s | %s | %s |' "$@")")
  printf '%-44s %-10s %s\n' "$1" "$2" "$6 s"
}

echo "== what Cairn finds"
began=$SECONDS
java 300 dev.cairn.runtime.cli.Main doctor -v --require-gpu >logs/doctor.txt 2>&1
doctor=$?
cat logs/doctor.txt
java 300 dev.cairn.runtime.cli.Main devices --format json >logs/devices.json 2>>logs/doctor.txt
if [ "$doctor" != 0 ]; then
  echo "run-on-gpu.sh: there is no GPU to use: what to do is above" >&2
  exit 7
fi
row doctor ok '' '' '' $((SECONDS - began))

name=$(sed -n '/"cuda:0"/,/}/ s/.*"name" : "\(.*\)".*/\1/p' logs/devices.json | head -n 1)
cuda=$(sed -n 's/.*\(serves CUDA [0-9.]*\).*/\1/p' logs/doctor.txt | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
[ -n "$driver" ] || driver=$(grep -o '[0-9]\+\.[0-9][0-9.]*' /proc/driver/nvidia/version 2>/dev/null | head -n 1)

count() { # what happened to tests, log: nothing when JUnit did not come to its end
  sed -n "s/^\[ *\([0-9]*\) tests $1 *\]\$/\1/p" "$2" | tail -n 1
}

echo "== tests"
# Whole models take a GPU seconds, the simulator minutes.
deep() { case "$1 $name" in *simulated*) false ;; *.gpu.model.*) true ;; *) false ;; esac; }

# A process for each class: one that ends its JVM, or hangs, takes no other along. Its row is kept in a file.
run_class() {
  local class=$1 log=logs/$1.txt began=$SECONDS tags code result passed aborted skipped
  tags=(--exclude-tag=soak)
  ! deep "$class" || tags=()
  java "$most_seconds" org.junit.platform.console.ConsoleLauncher execute --select-class "$class" --disable-banner \
    --disable-ansi-colors --details=tree "${tags[@]}" >"$log" 2>&1
  code=$?
  result=ok
  case $code in
    0) ;;
    124 | 137) result=hangs ;;
    1) result=FAILED ;;
    *) result="exit $code" ;;
  esac
  passed=$(count successful "$log") aborted=$(count aborted "$log") skipped=$(count skipped "$log")
  [ "$code" != 0 ] || [ "${passed:-0}" != 0 ] || result=skipped
  row "${class#dev.cairn.}" "$result" "$passed" "$(count failed "$log")" $((${aborted:-0} + ${skipped:-0})) \
    $((SECONDS - began))
  printf '%s\n' "${rows[@]: -1}" >"logs/$class.row"
  [ "$code" = 0 ]
}

if [ "$only" != benchmark ]; then
  classes=$(grep -E -- "$match" "$here/tests")
  # Classes that take all of a device's memory, or whose faults others would feel, run by themselves afterwards.
  alone='ReportedFaultsTest|CudaSourcesTest|LostContextTest|ConformanceOver'
  for class in $(grep -Ev "$alone" <<<"$classes"); do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
      wait -n
    done
    run_class "$class" &
  done
  wait
  for class in $(grep -E "$alone" <<<"$classes"); do
    (run_class "$class")
  done
  for class in $classes; do
    rows+=("$(cat "logs/$class.row" || printf '| %s | no result | | | | |' "$class")")
    case ${rows[-1]} in *'| ok |'* | *'| skipped |'*) ;; *) failed=$((failed + 1)) ;; esac
  done
fi

if [ "$only" != tests ]; then
  echo "== benchmark"
  began=$SECONDS
  java $((4 * most_seconds)) dev.cairn.benchmarks.Main gpu --device cuda:0 --page benchmark.md \
    ${quick:+"$quick"} ${benchmark_options[@]+"${benchmark_options[@]}"} >logs/benchmark.txt 2> >(tee logs/benchmark.err >&2)
  code=$?
  line=$(tail -n 1 logs/benchmark.txt)
  case "$code $line" in
    0\ *pass) result=pass ;;
    1\ gpu:*failed-tables=*) result=FAILED failed=$((failed + 1)) ;;
    1\ gpu:*device=simulated*short) result=simulated short=1 ;;
    1\ gpu:*short) result=short short=1 ;;
    *) result="exit $code" failed=$((failed + 1)) ;;
  esac
  row 'benchmark gpu' "$result" '' '' '' $((SECONDS - began))
fi

slug=$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9' '-' | sed 's/^-//; s/-$//')
page=gpu-$(date -u +%F)-$slug.md
{
  printf '# All that runs on a GPU: %s\n\nMade by `native-tests/gpu/run-on-gpu.sh`; do not edit.\n\n' "$name"
  printf -- '- Date: %s (UTC)\n- Device: %s\n' "$(date -u +%F)" "$name"
  printf -- '- Driver: %s, %s\n- System: %s\n' "${driver:-unknown}" "$cuda" "$(uname -sr)"
  printf -- '- Sources: `%s`\n' "$(cat "$here/sources")"
  case $name in *simulated*)
    printf -- '- **Simulated**: there was no GPU. This shows that everything works, and nothing else\n' ;;
  esac
  printf '\n| what | result | passed | failed | skipped | seconds |\n| --- | --- | ---: | ---: | ---: | ---: |\n'
  printf '%s\n' "${rows[@]}"
  printf '\n## What Cairn found\n\n```\n%s\n```\n' "$(cat logs/doctor.txt)"
  if [ "$failed" -gt 0 ]; then
    printf '\n## What failed\n'
    for class in ${classes-}; do
      grep -q '^\[ *0 tests failed' "logs/$class.txt" && grep -q '^\[ *0 containers failed' "logs/$class.txt" ||
        printf '\n### %s\n\n```\n%s\n```\n' "$class" "$(tail -n 120 "logs/$class.txt")"
    done
    [ "$code" = 0 ] || [ "$short" = 1 ] || printf '\n### benchmark\n\n```\n%s\n```\n' "$(tail -n 40 logs/benchmark.err)"
  fi
  [ ! -f benchmark.md ] || { echo && sed 's/^#/##/' benchmark.md; }
} >"$page"

printf '\n| what | result | passed | failed | skipped | seconds |\n| --- | --- | ---: | ---: | ---: | ---: |\n'
printf '%s\n' "${rows[@]}"
printf '\n%s\n%s on %s, driver %s; the page: %s\n' "$line" "$([ "$failed" = 0 ] && echo 'nothing failed' ||
  echo "$failed failed")" "$name" "${driver:-unknown}" "$results/$page"
[ "$failed" = 0 ] || exit 1
[ "$short" = 0 ] || exit 3
