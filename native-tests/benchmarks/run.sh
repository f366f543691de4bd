#!/usr/bin/env bash
# Makes one table of figures: run.sh NAME [options]; without a name, says which there are. Builds first, since the figures must be those of
# the sources. The table and the line that ends it go to standard output, everything else to standard error.
# Exit code 0 when the goals are reached, 1 when not or when something failed, 2 for wrong use, 7 when no JDK fits.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# The launcher's functions: run.sh wants the same JDK as it does. Sets root.
# shellcheck source=../../cairn
source "$here/../../cairn"

command -v mvn >/dev/null || fail "Maven is needed to build the benchmarks" "there is no mvn on the PATH" \
  "install Maven 3.8.7 or later (Debian, Ubuntu: apt-get install maven)"
find_java_home || fail "no JDK $least or later was found" "seen: ${seen[*]:-none}" \
  "install JDK 25 (for example Eclipse Temurin), or set CAIRN_JAVA_HOME to one"

echo "run.sh: building ..." >&2
(cd "$root" && mvn -B -ntp -q -pl native-tests/benchmarks -am -Dmaven.test.skip=true package) >&2

# What every JVM that runs Cairn is started with is written in the parent POM; the collector is the launcher's.
jvm=$(sed -n 's:.*<cairn\.jvm>\(.*\)</cairn\.jvm>.*:\1:p' "$root/pom.xml")
[ -n "$jvm" ] || fail "the JVM's options were not found" "no property cairn.jvm in $root/pom.xml" "put it back"
# shellcheck disable=SC2086 # the options are words
exec "$java_home/bin/java" $jvm -XX:+UseSerialGC "-Dcairn.root=$root" "-Dcairn.shared=${CAIRN_SHARED:-$root/../shared}" \
  -cp "$here/target/benchmarks/lib/*" dev.cairn.benchmarks.Main "$@" \
  2> >(exec grep --line-buffered -v '^WARNING: Using incubator modules' >&2)
