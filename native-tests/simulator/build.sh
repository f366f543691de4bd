#!/usr/bin/env bash
# Builds target/lib/{libcuda.so.1,libnvrtc.so.12,libcublas.so.12} and target/lib-cudnn/libcudnn.so.9 with g++ alone; only
# what changed is compiled again. Folders: src/driver and src/device make libcuda, src/nvrtc libnvrtc, src/cublas
# libcublas, src/cudnn libcudnn, which only those see who name its folder. What JCuda's natives import
# (symbols/*.txt) and no source defines becomes a stub that says its name and answers "not supported".
set -euo pipefail
cd "$(dirname "$0")"
export CXX=${CXX:-g++}
command -v "$CXX" > /dev/null || { echo "skipped: no g++ (the CUDA simulator is not built)"; exit 0; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { echo "skipped: the CUDA simulator needs Linux on x86-64"; exit 0; }
mkdir -p target/lib target/lib-cudnn target/obj target/gen
export CXXFLAGS="-g1 -std=c++17 -fPIC -pthread -fvisibility=hidden -fno-strict-aliasing -Wall -Wextra -Wno-unused-parameter -Isrc"

# compile SOURCE OBJECT OPTIONS...: unless the object is newer than all that it was made of
compile() {
  local source=$1 object=target/obj/$2.o part stale=; shift 2
  if [ -f "$object" ] && [ -f "$object.d" ] && [ "$object" -nt build.sh ]; then
    for part in $(sed -e 's/^[^:]*://' -e 's/\\$//' "$object.d"); do
      [ "$object" -nt "$part" ] || { stale=1; break; }
    done
    [ -n "$stale" ] || return 0
  fi
  $CXX $CXXFLAGS "$@" -MMD -MF "$object.d.new" -c "$source" -o "$object.new" || return 255
  sed -i 's/\.o\.new:/.o:/' "$object.d.new"
  mv "$object.d.new" "$object.d"; mv "$object.new" "$object"
}
export -f compile

# folder NAME OPTIONS...: all sources of src/NAME as one. Nearly all work of a small source is the standard library's
# headers and templates, which are then compiled once. So names in a folder are unique, also those that are static.
folder() {
  local name=$1 source sources=("src/$1"/*.cpp); shift
  [ "$name" != cudnn ] || sources+=(src/cublas/elements.cpp) # its elements are those of cuBLAS
  for source in "${sources[@]}"; do echo "#include \"${source#src/}\""; done > "target/gen/$name.new"
  cmp -s "target/gen/$name.new" "target/gen/$name.cpp" || cp "target/gen/$name.new" "target/gen/$name.cpp"
  compile "target/gen/$name.cpp" "$name" "$@"
}
export -f folder

# stubs NAME CODE OBJECTS...: a source with one function for each symbol that the objects don't define
stubs() {
  local name=$1 code=$2; shift 2
  { nm --defined-only "$@" 2> /dev/null || true; } | awk '$2 == "T" { print $3 }' | sort -u > "target/gen/$name.have"
  {
    echo '#include <cstdio>'
    echo '#define STUB(name) extern "C" __attribute__((visibility("default"))) int name() { \'
    echo "  fprintf(stderr, \"cairn simulator: \" #name \" is not simulated\\n\"); return $code; }"
    LC_ALL=C sort -u "symbols/$name.txt" | LC_ALL=C comm -23 - <(LC_ALL=C sort "target/gen/$name.have") | sed 's/.*/STUB(&)/'
  } > "target/gen/$name.new"
  cmp -s "target/gen/$name.new" "target/gen/${name}_stubs.cpp" || cp "target/gen/$name.new" "target/gen/${name}_stubs.cpp"
  compile "target/gen/${name}_stubs.cpp" "${name}_stubs" -O1
}

# shim: the headers that kernels are compiled with, as a source with their texts
shim() {
  local header
  {
    echo '#include "nvrtc/shim_headers.h"'
    echo 'const sim::ShimHeader sim::kShimHeaders[] = {'
    for header in src/shim/*.h; do
      printf '{"%s", R"shim(' "$(basename "$header")"; cat "$header"; echo ')shim"},'
    done
    echo '{nullptr, nullptr}};'
  } > target/gen/shim.new
  cmp -s target/gen/shim.new target/gen/shim_headers.cpp || cp target/gen/shim.new target/gen/shim_headers.cpp
  compile target/gen/shim_headers.cpp shim_headers -O1
}

# link LIBRARY OBJECTS-AND-OPTIONS...: below target, unless it is newer than all of them
link() {
  local library=target/$1 part; shift
  local fresh=$library
  for part in "$@" build.sh; do case $part in -*) ;; *) [ "$library" -nt "$part" ] || fresh= ;; esac; done
  [ -n "$fresh" ] && [ -f "$library" ] && return 0
  echo "link native-tests/simulator/$library"
  $CXX -shared -pthread -static-libstdc++ -static-libgcc -Wl,-soname,"$(basename "$library")" -Wl,--exclude-libs,ALL \
    -o "$library.new" "$@" -ldl
  mv "$library.new" "$library"
}

# What runs kernels is optimised; the rest is called seldom.
printf '%s\n' 'driver -Og' 'device -O2' 'nvrtc -Og' 'cudnn -O2' 'cublas -O2' |
  xargs -P "$(nproc)" -L1 bash -c 'folder "$@"' folder
obj=target/obj
stubs driver 801 $obj/driver.o $obj/device.o
stubs nvrtc 11 $obj/nvrtc.o
shim
stubs cublas 15 $obj/cublas.o
link lib/libcuda.so.1 $obj/driver.o $obj/device.o $obj/driver_stubs.o
link lib/libnvrtc.so.12 $obj/nvrtc.o $obj/shim_headers.o $obj/nvrtc_stubs.o
link lib/libcublas.so.12 $obj/cublas.o $obj/cublas_stubs.o target/lib/libcuda.so.1
link lib-cudnn/libcudnn.so.9 $obj/cudnn.o target/lib/libcuda.so.1
