#!/usr/bin/env bash
# Shakes what threads share, with jcstress: run.sh [-m quick|default|tough] [-t REGEX] [further options of jcstress]. Builds
# first. Some minutes in quick mode. What was seen goes to standard output, and as a page to native-tests/jcstress/target/jcstress/results.
# Exit code 0 when only allowed results were seen, else 1; 7 when no JDK fits.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# The functions of the launcher, and root: the JDK is the one that it would take.
# shellcheck source=../../cairn
source "$here/../../cairn"

command -v mvn >/dev/null || fail 7 "Maven is needed to build the tests" "there is no mvn on the PATH" \
  "install Maven 3.8.7 or later (Debian, Ubuntu: apt-get install maven)"
find_java_home
[ -x "${JAVA_HOME:-}/bin/java" ] || unset JAVA_HOME # else Maven would not start

echo "run.sh: building ..." >&2
(cd "$root" && JAVA25_HOME=$java_home mvn -B -ntp -q -Dstyle.color=never -pl native-tests/jcstress -am -Dmaven.test.skip=true \
  package) >&2 ||
  fail 1 "the build failed" "what Maven said is above" "mend it; all of the build: mvn verify"

# jcstress writes what it saw where it is started.
cd "$here/target/jcstress"
exec "$java_home/bin/java" -cp "lib/*" org.openjdk.jcstress.Main -r results "$@"
