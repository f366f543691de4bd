#!/usr/bin/env bash
# Makes one table of figures: run.sh NAME [options]; without a name, says which there are. Builds first, since the figures must be those of
# the sources. The table and the line that ends it go to standard output, everything else to standard error.
# Exit code 0 when the goals are reached, 1 when not or when something failed, 2 for wrong use, 7 when no JDK fits.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# The functions and options of the launcher, and root: the JDK is the one that it would take.
# shellcheck source=../../cairn
source "$here/../../cairn"

command -v mvn >/dev/null || fail 7 "Maven is needed to build the benchmarks" "there is no mvn on the PATH" \
  "install Maven 3.8.7 or later (Debian, Ubuntu: apt-get install maven)"
find_java_home
[ -x "${JAVA_HOME:-}/bin/java" ] || unset JAVA_HOME # else Maven would not start

echo "run.sh: building ..." >&2
# JAVA25_HOME: the build looks for JDKs in variables of such names, too.
(cd "$root" && JAVA25_HOME=$java_home mvn -B -ntp -q -Dstyle.color=never -pl native-tests/benchmarks -am -Dmaven.test.skip=true \
  package) >&2 ||
  fail 1 "the build failed" "what Maven said is above" "mend it; all of the build: mvn verify"

# What every JVM that runs Cairn is started with is written in the parent POM; what the heap is like, the launcher says.
jvm=$(sed -n 's:.*<cairn\.jvm>\(.*\)</cairn\.jvm>.*:\1:p' "$root/pom.xml")
[ -n "$jvm" ] || fail 1 "the JVM's options were not found" "no property cairn.jvm in $root/pom.xml" "put it back"
# For models, operators (by themselves or in breadth) and busy machines the JVM is what a user of the launcher has: its heap and its compiler; for models also an AOT cache,
# which holds the classes of both engines. The others measure Java code alone, where a collection in the middle would only disturb: a heap that
# starts large, in large pages where the system has them.
case ${1:-} in
  models | operators | breadth | quantized | busy) heap_options+=("${compiler_options[@]}" -Xlog:cds=off -Xlog:aot=off) ;;
  *)
    heap_options=(-XX:+UseSerialGC)
    case $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null) in
      *'[always]'* | *'[madvise]'*) heap_options+=(-XX:+UseTransparentHugePages) ;;
    esac
    ;;
esac
# As for the tests in the parent POM: a long command line ends ONNX Runtime's process otherwise.
export ORT_DISABLE_TELEMETRY=1
# The table of models also times ./cairn, which does not notice edited sources.
[ "${1:-}" != models ] || "$root/build.sh" >&2
find_jars "$here/target/benchmarks/lib"
# shellcheck disable=SC2086 # the options are words
start() { "$java_home/bin/java" $jvm "${heap_options[@]}" "$@"; }
if [ "${1:-}" = models ]; then
  archive=$here/target/models.aot
  jvm=${jvm/--add-modules=jdk.incubator.vector/$module_option}
  rm -f "$archive"
  echo "run.sh: making an AOT cache ..." >&2
  start "-XX:AOTCacheOutput=$archive" -cp "$jars" dev.cairn.benchmarks.models.ModelsTraining >"$archive.log" 2>&1 && [ -s "$archive" ] ||
    fail 1 "the AOT cache could not be made" "$(tail -n 1 "$archive.log"); the whole log: $archive.log" "mend what it says"
  heap_options+=("-XX:AOTCache=$archive")
fi
# shellcheck disable=SC2086 # the options are words
exec "$java_home/bin/java" $jvm "${heap_options[@]}" "-Dcairn.root=$root" "-Dcairn.shared=${CAIRN_SHARED:-$root/../shared}" \
  -cp "$jars" dev.cairn.benchmarks.Main "$@"
