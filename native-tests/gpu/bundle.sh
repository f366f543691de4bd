#!/usr/bin/env bash
# Packs everything that the GPU tests and the GPU benchmark need into one archive, for machines that have an NVIDIA
# driver and nothing else: a Java runtime of the modules in use, Cairn's jars, JCuda's with their natives, tests, JUnit.
#
#   bundle.sh [--no-build] [--try-simulated]
#
# The archive is native-tests/gpu/target/bundle/cairn-gpu.tar.xz. --no-build takes the jars that are there already.
# --try-simulated unpacks it into an empty folder and runs it on the simulator: see bundle-test.sh.
# Exit code 0 when made (and tried), 1 when not or when it is too large, 2 for wrong use, 7 when no JDK fits.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# The functions of the launcher, and root: the JDK is the one that it would take.
# shellcheck source=../../cairn
source "$here/../../cairn"

most_bytes=60000000
# What runs with these jars, found by trying; jdeps also names what libraries use only where it is there.
modules=java.base,java.logging,java.management,java.naming,java.xml
modules+=,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs
# Large, and of no use on a GPU: other benchmarks need them, and tests that are not taken along.
# Byte Buddy serves parts of AssertJ that these tests do not use.
left_out='byte-buddy-* onnxruntime-* jmh-* jopt-simple-* commons-math3-* archunit* jcstress-*'

build=true try=false
for option in "$@"; do
  case $option in
    --no-build) build=false ;;
    --try-simulated) try=true ;;
    *) fail 2 "no such option" "option=$option" "bundle.sh [--no-build] [--try-simulated]" ;;
  esac
done

find_java_home
[ -x "$java_home/bin/jlink" ] || fail 7 "this JDK has no jlink" "jdk=$java_home" "set CAIRN_JAVA_HOME to a whole JDK"
if $build; then
  command -v mvn >/dev/null || fail 7 "Maven is needed to build the bundle" "there is no mvn on the PATH" \
    "install Maven 3.8.7 or later (Debian, Ubuntu: apt-get install maven)"
  [ -x "${JAVA_HOME:-}/bin/java" ] || unset JAVA_HOME # else Maven would not start
  rm -rf "$here/target/bundle" "$root/native-tests/benchmarks/target/benchmarks" # jars of an older build
  # JAVA25_HOME: the build looks for JDKs in variables of such names, too.
  (cd "$root" && JAVA25_HOME=$java_home mvn -B -ntp -q -Dstyle.color=never -am -Pprecompiled -DskipTests \
    -pl native-tests/gpu,native-tests/benchmarks package) >&2 ||
    fail 1 "the build failed" "what Maven said is above" "mend it; all of the build: mvn verify"
fi

jars=("$here/target/bundle/lib" "$root/native-tests/benchmarks/target/benchmarks/lib")
for folder in "${jars[@]}"; do
  compgen -G "$folder/*.jar" >/dev/null ||
    fail 1 "there are no jars" "folder=$folder" "run bundle.sh without --no-build"
done
stage=$here/target/bundle/cairn-gpu archive=$here/target/bundle/cairn-gpu.tar.xz
rm -rf "$stage" "$archive"
mkdir -p "$stage/lib" "$stage/kernels/src/main"

# One after the other: both folders hold some of the same jars, which cp would not copy twice at once.
for folder in "${jars[@]}"; do
  cp "$folder"/*.jar "$stage/lib/"
done
for pattern in $left_out; do
  find "$stage/lib" -name "$pattern" -delete
done
# JCuda brings a compiler of PTX and the runtime API, which Cairn does not call.
! command -v zip >/dev/null || zip -q -d "$stage"/lib/jcuda-natives-*.jar '*/libJNvPTXCompiler*' '*/libJCudaRuntime*'

"$java_home/bin/jlink" --strip-debug --no-header-files --no-man-pages --compress zip-0 --add-modules "$modules" \
  --output "$stage/jvm"

# What every JVM that runs Cairn is started with is written in the parent POM.
jvm=$(sed -n 's:.*<cairn\.jvm>\(.*\)</cairn\.jvm>.*:\1:p' "$root/pom.xml")
[ -n "$jvm" ] || fail 1 "the JVM's options were not found" "no property cairn.jvm in $root/pom.xml" "put it back"
echo "$jvm" >"$stage/jvm.options"
tests=$(cd "$stage/lib" && echo cairn-gpu-tests-*-tests.jar)
"$java_home/bin/jar" tf "$stage/lib/$tests" | sed -n 's:/:.:g; s:^\([^$]*Test\)\.class$:\1:p' | grep -v 'UnderTest$' |
  sort >"$stage/tests"
[ -s "$stage/tests" ] || fail 1 "there are no tests" "jar=$stage/lib/$tests" "run bundle.sh without --no-build"
cp -r "$root/kernels/src/main/cuda" "$stage/kernels/src/main/" # for the machine's nvcc, where it has one
cp "$here/run-on-gpu.sh" "$root/LICENSE" "$stage/"
git -C "$root" describe --always --dirty 2>/dev/null >"$stage/sources" || echo unknown >"$stage/sources"

tar -C "$here/target/bundle" --sort=name --owner=0 --group=0 --numeric-owner -cf - cairn-gpu | xz -T0 -6 >"$archive"
bytes=$(stat -c %s "$archive")
printf '%s: %d.%d MB, %d MB unpacked, %d test classes\n' "$archive" $((bytes / 1000000)) $((bytes % 1000000 / 100000)) \
  "$(($(du -sk "$stage" | cut -f1) / 1000))" "$(wc -l <"$stage/tests")"
if [ "$bytes" -ge "$most_bytes" ]; then
  fail 1 "the bundle is too large" "bytes=$bytes most=$most_bytes largest: $(cd "$stage" &&
    find . -type f -printf '%s %p\n' | sort -rn | head -n 5 | tr '\n' ';')" "leave out what is not needed"
fi
! $try || exec "$here/bundle-test.sh" "$archive"
