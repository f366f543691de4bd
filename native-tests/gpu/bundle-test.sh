#!/usr/bin/env bash
# Tries the bundle as a machine without a JDK would: unpacked into an empty folder, with an empty environment, on the
# simulator, which the build makes.
#
#   bundle-test.sh [ARCHIVE]
#
# Exit code 0 when everything in it ran and nothing failed, 1 when not.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
archive=$(readlink -f "${1:-$here/target/bundle/cairn-gpu.tar.xz}")
simulator=$here/../simulator/target/lib
[ -f "$archive" ] || { echo "bundle-test.sh: no bundle: run bundle.sh first: archive=$archive" >&2 && exit 1; }
[ -f "$simulator/libcuda.so.1" ] || { echo "skipped: no g++, so there is no simulator" && exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The libraries lie elsewhere than the build put them, as on another machine.
cp -r "$simulator" "$folder/simulator"
cp -r "$simulator-cudnn" "$folder/simulated-cudnn"
tar -C "$folder" -xJf "$archive"
began=$SECONDS code=0
env -i PATH=/usr/bin:/bin HOME="$folder" CAIRN_CUDA_DRIVER="$folder/simulator/libcuda.so.1" \
  CAIRN_CUDA_LIBRARIES="$folder/simulator:$folder/simulated-cudnn" \
  CAIRN_SIM_CACHE="$folder/kernels" CAIRN_SIM_MEMORY=3G \
  "$folder/cairn-gpu/run-on-gpu.sh" --quick || code=$?

wrong() {
  echo "bundle-test.sh: $1" >&2
  mkdir -p "$here/target/bundle" && cp -r "$folder/cairn-gpu/results" "$here/target/bundle/"
  exit 1
}
# Goals are never reached on the simulator, and nothing else may be amiss.
[ "$code" = 3 ] || wrong "not as expected: exit=$code wanted=3 results=$here/target/bundle/results"
pages=("$folder"/cairn-gpu/results/gpu-*-cairn-simulated-gpu.md)
[ -s "${pages[0]}" ] || wrong "there is no page: folder=$folder/cairn-gpu/results"
[ "$(grep -c '^| .*Test | ' "${pages[0]}")" = "$(wc -l <"$folder/cairn-gpu/tests")" ] || wrong "the page lacks tests"
[ ! -e "$folder/.cache" ] || wrong "something was left outside of the folder: $(find "$folder/.cache" | head -n 3)"
echo "bundle-test.sh: everything ran in $((SECONDS - began)) s, bundle of $(stat -c %s "$archive") bytes"
