#!/usr/bin/env bash
# Shows whether nvcc, where there is one, takes and refuses the same sources as the simulated NVRTC: those of the
# self-tests.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v nvcc > /dev/null || { echo "skipped: no nvcc"; exit 0; }
folder=$PWD/target/test/sources
rm -rf "$folder"; mkdir -p "$folder"
export CAIRN_SIM_CACHE=${CAIRN_SIM_CACHE:-$PWD/target/test/cache}
CAIRN_TEST_SOURCES=$folder target/test/device > /dev/null

# verdict FILE: prints the file when nvcc disagrees
verdict() {
  local macros arch
  macros=$(sed -n '1s/.* \(-D[A-Za-z0-9_=]*\).*/\1/p' "$1")
  arch=$(sed -n '1s/.*sm_\([0-9]*\).*/\1/p' "$1")
  found=bad
  nvcc -arch="sm_${arch:-90}" $macros -std=c++17 -cubin -o /dev/null "$1" > "$1.log" 2>&1 && found=good
  case $1 in *.$found.cu) return 0 ;; esac
  echo "nvcc says $found: $1"
  grep -m3 -E 'error|fatal' "$1.log" || sed -n 1,12p "$1"
  return 0
}
export -f verdict
find "$folder" -name '*.cu' | sort | xargs -P "$(nproc)" -I{} bash -c 'verdict {}'
echo "$(find "$folder" -name '*.cu' | wc -l) sources compared"
