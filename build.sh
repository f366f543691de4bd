#!/usr/bin/env bash
# Builds Cairn's command line, for ./cairn to start:
#
#   ./build.sh             if there is no build, or a source is newer than the build
#   ./build.sh OPTION...   in any case, with these options for Maven: ./build.sh -Pprecompiled
#   ./build.sh simulator   the simulator of CUDA, for --device sim
#
# ./cairn calls this script when there is no build, and when git has changed the checkout. After you have edited a source, call it
# yourself. "mvn verify" builds everything and runs the tests. The time of the stamp runtime/cli/target/cairn/built is when the last
# build began, or the last check for newer sources.
set -euo pipefail

script=${BASH_SOURCE[0]}
[ ! -L "$script" ] || script=$(readlink -f "$script")
case $script in */*) ;; *) script=./$script ;; esac
# The functions and options of the launcher, and root, dist and simulator.
# shellcheck source=cairn
source "${script%/*}/cairn"

is_newer() { # whether a file or folder, or anything in it, is newer than a stamp
  local stamp=$1
  shift
  ! [ -f "$stamp" ] || [ -n "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

has_newer_sources() {
  is_newer "$dist/built" "$root"/pom.xml "$root"/*/pom.xml "$root"/runtime/*/pom.xml "$root"/{allocator,kernels}/src/main \
    "$root"/runtime/*/src/main
}

can_write() { # whether there is a folder for the build, and it may be written
  { mkdir -p "$dist" && : >>"$dist/lock"; } 2>/dev/null
}

take_turn() { # two that build at a time build once
  exec 8>"$dist/lock"
  ! command -v flock >/dev/null || flock 8
}

build() { # with these options for Maven
  command -v mvn >/dev/null || fail 7 "Maven is needed to build Cairn" "there is no mvn on the PATH" \
    "install Maven 3.8.7 or later (Debian, Ubuntu: apt-get install maven)"
  [ -x "${JAVA_HOME:-}/bin/java" ] || unset JAVA_HOME # else Maven would not start
  local log=$dist/build.log began=$SECONDS status=0
  echo "cairn: building (the first time this takes some minutes, and fetches libraries) ..." >&2
  rm -rf "${dist:?}/built" "${dist:?}/lib" # what an older build left there
  # JAVA25_HOME: the build looks for JDKs in variables of such names, too.
  (cd "$root" && JAVA25_HOME=$java_home exec mvn -B -ntp -pl runtime/cli -am -Dmaven.test.skip=true "$@" package) >"$log" 2>&1 &
  local maven=$!
  trap 'kill "$maven" 2>/dev/null' EXIT
  if "$terminal"; then
    while kill -0 "$maven" 2>/dev/null; do
      printf '\r  %3d s  %s\033[K' $((SECONDS - began)) \
        "$(sed -n 's/^\[INFO\] Building \(Cairn.*\) [0-9].*/\1/p' "$log" | tail -n 1)" >&2
      sleep 0.5
    done
    printf '\r\033[K' >&2
  fi
  wait "$maven" || status=$?
  trap - EXIT
  if [ "$status" != 0 ]; then
    fail 1 "the build failed: $(grep -m 1 '^\[ERROR\]' "$log" || tail -n 1 "$log")" "the whole log: $log" \
      "mend what it says, or run: mvn -pl runtime/cli -am -DskipTests package"
  fi
  echo "cairn: built in $((SECONDS - began)) s" >&2
}

# Runs Cairn once, and has the JVM write an AOT cache (JEPs 483 and 515): classes that are loaded and linked, and the profiles of
# methods. Later starts map it.
make_archive() {
  ! "$terminal" || echo "cairn: preparing faster starts (once, some seconds) ..." >&2
  rm -f "$dist"/*.aot* "$dist"/*.jsa*
  find_jars "$dist/lib"
  {
    # Without this, the cache has no class of picocli, and starts are slower.
    "$java_home/bin/java" "${options[@]}" -cp "$jars" dev.cairn.runtime.cli.ClassFileUpgrade "$dist/lib" || true
    # The cache appears complete or not at all. An empty one fits nothing, and is not made again until the next build.
    if "$java_home/bin/java" "${options[@]}" "-XX:AOTCacheOutput=$archive.new" -cp "$jars" dev.cairn.runtime.cli.TrainingRun &&
      [ -s "$archive.new" ]; then
      mv "$archive.new" "$archive"
    else
      : >"$archive"
    fi
  } >"$dist/archive.log" 2>&1
  rm -f "$archive".*
}

build_simulator() { # where it can't be built, the command line says what is missing
  local log=$dist/simulator.log began=$SECONDS
  echo "cairn: building the CUDA simulator (the first time this takes a few minutes) ..." >&2
  bash "$root/native-tests/simulator/build.sh" >"$log" 2>&1 || fail 1 "the simulator could not be built" \
    "$(tail -n 1 "$log"); the whole log: $log" "mend what it says, or run: bash $root/native-tests/simulator/build.sh"
  [ ! -f "$simulator/libcuda.so.1" ] || echo "cairn: built the simulator in $((SECONDS - began)) s" >&2
}

case ${1:-} in
  -h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit
    ;;
  simulator)
    can_write || fail 1 "the simulator must be built, and its folder cannot be written" "$dist" \
      "build it as the owner of the folder ($root/build.sh simulator), or copy the checkout to a folder of yours"
    take_turn
    touch "$dist/begun" # a source that changes from now on is newer than the build
    parts=("$root"/native-tests/simulator/{build.sh,src,symbols})
    if ! [ -f "$simulator/libcuda.so.1" ] || is_newer "$dist/simulator" "${parts[@]}"; then
      build_simulator
    fi
    mv "$dist/begun" "$dist/simulator"
    exit
    ;;
esac
quiet=false
if [ "${1:-}" = --if-needed ]; then # as ./cairn calls this script: says nothing if there is nothing to do
  quiet=true
  shift
fi
find_java_home
archive=$dist/cairn-$version.aot
if ! can_write; then
  state="there is no build"
  [ ! -f "$dist/built" ] || state="the build there is older than the sources, or was made with other options"
  { [ $# = 0 ] && ! has_newer_sources; } || fail 1 "Cairn must be built, and its folder cannot be written" "$dist: $state" \
    "build it as the owner of the folder ($root/build.sh), or copy the checkout to a folder of yours"
  exit
fi
take_turn
touch "$dist/begun" # a source that changes from now on is newer than the build
if [ $# -gt 0 ] || has_newer_sources; then
  build "$@"
else
  $quiet || echo "cairn: no source is newer than the build" >&2
fi
mv "$dist/begun" "$dist/built"
! lacks_archive || make_archive
