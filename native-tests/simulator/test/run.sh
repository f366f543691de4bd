#!/usr/bin/env bash
# Builds the simulator's self-tests and runs them in every order of threads. Prints one line, and of a run that fails its output.
set -euo pipefail
cd "$(dirname "$0")/.."
export CXX=${CXX:-g++}
command -v "$CXX" > /dev/null || { echo "skipped: no g++ (the simulator's self-tests)"; exit 0; }
[ -f target/lib/libcuda.so.1 ] || { echo "skipped: the simulator is not built (its self-tests)"; exit 0; }
mkdir -p target/test
export CAIRN_SIM_CACHE=${CAIRN_SIM_CACHE:-$PWD/target/test/cache}
flags="-O0 -g1 -std=c++17 -pthread -Wall -Wextra -Wno-missing-field-initializers -Isrc -Itest"

# program NAME: its sources in test/NAME as one, unless the object is newer than all that it was made of
program() {
  local name=$1 source object=target/test/$1.o part stale=
  for source in test/"$name"/*.cpp; do echo "#include \"${source#test/}\""; done > "target/test/$name.new"
  cmp -s "target/test/$name.new" "target/test/$name.cpp" || cp "target/test/$name.new" "target/test/$name.cpp"
  if [ -f "$object" ] && [ -f "$object.d" ]; then
    for part in $(sed -e 's/^[^:]*://' -e 's/\\$//' "$object.d"); do [ "$object" -nt "$part" ] || stale=1; done
    [ -n "$stale" ] || return 0
  fi
  $CXX $flags -MMD -MF "$object.d" -c "target/test/$name.cpp" -o "$object"
}
export -f program
export flags

printf '%s\n' device driver cublas cudnn | xargs -P "$(nproc)" -I{} bash -c 'program {}'
link() { $CXX -pthread -o "target/test/$1" "target/test/$1.o" "${@:2}" -Wl,-rpath,"$PWD/target/lib"; }
# The device's own object, without the driver: the test plays its part.
link device target/obj/device.o target/lib/libnvrtc.so.12 -ldl
link driver target/lib/libcuda.so.1
link cublas target/lib/libcublas.so.12 target/lib/libcuda.so.1
link cudnn target/lib-cudnn/libcudnn.so.9 target/lib/libcuda.so.1 -Wl,-rpath,"$PWD/target/lib-cudnn"

# tried NAME ARGUMENTS...: runs one program with the settings of its environment
runs=0
tried() {
  local log=target/test/$1.log
  target/test/"$1" "${@:2}" > "$log" 2>&1 ||
    { cat "$log"; echo "failed: $1 CAIRN_SIM_ORDER=${CAIRN_SIM_ORDER:-}" >&2; return 1; }
  runs=$((runs + 1))
}
tried cublas "$@"
tried cudnn "$@"
for order in forward reverse random:7 check; do
  CAIRN_SIM_TIMEOUT=1000 CAIRN_SIM_ORDER=$order tried device "$@"
done
for order in forward reverse random:7; do
  CAIRN_SIM_MEMORY=64M CAIRN_SIM_ORDER=$order tried driver "$@"
done
echo "the simulator's self-tests: $runs runs, nothing failed"
