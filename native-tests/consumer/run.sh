#!/usr/bin/env bash
# Uses Cairn as a project outside of its build does: installs the artifacts into a folder, compiles README's program against them,
# and runs it without a JVM flag, with the vector module, and as one shaded jar. Resolves them for other platforms, too.
# Usage: run.sh [--built | --installed]: with the classes that a build has just made, or with what an earlier run has installed
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/cairn" # functions and options
find_java_home
most_jars=10 most_bytes=$((8 << 20))
work=$here/target
artifacts=(cairn-parent cairn-runtime cairn-bom cairn-allocator cairn-kernels cairn-planner cairn-core cairn-onnx cairn cairn-cuda
  cairn-onednn)
started=$SECONDS

say() { printf 'consumer: %s\n' "$*"; }

# A local repository of its own, so that nothing of Cairn is taken from the user's: the rest is links into that.
repository() {
  local users=${CAIRN_MAVEN_REPOSITORY:-$HOME/.m2/repository} folder
  rm -rf "$work/repository"
  mkdir -p "$work/repository/dev"
  for folder in "$users"/*; do
    [ "$(basename "$folder")" = dev ] || ln -s "$folder" "$work/repository/"
  done
  for folder in "$users"/dev/*; do
    [ ! -e "$folder" ] || [ "$(basename "$folder")" = cairn ] || ln -s "$folder" "$work/repository/dev/"
  done
}

maven() { # offline: what the build has not fetched is fetched by the second try
  local log=$work/maven.log
  JAVA25_HOME=$java_home mvn -B -ntp -q -Dstyle.color=never "-Dmaven.repo.local=$work/repository" -o "$@" >"$log" 2>&1 ||
    JAVA25_HOME=$java_home mvn -B -ntp -q -Dstyle.color=never "-Dmaven.repo.local=$work/repository" "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    fail 1 "Maven failed" "mvn $*" "what it said is above"
  }
}

runs() { # a name, then options of java: README's program must print its two lines and nothing to complain of
  local name=$1 out=$work/$1.out err=$work/$1.err
  shift
  (cd "$work" && "$java_home/bin/java" "$@") >"$out" 2>"$err" || {
    cat "$err" >&2
    fail 1 "the program of README failed: $name" "java $*" "what it said is above"
  }
  if ! grep -q '^10 logits$' "$out" || ! grep -q '^planned .* ratio=1.0000' "$out" || grep -q 'Exception\|Error' "$err"; then
    cat "$out" "$err" >&2
    fail 1 "the program of README printed something else: $name" "java $*" "what it printed is above"
  fi
  say "$name: $(head -n 1 "$out"); $(grep -c . "$err" || true) lines of warnings"
}

mkdir -p "$work/source"
compiled=()
[ "${1:-}" != --built ] || compiled=(-Dmaven.main.skip -Dprotobuf.skip)
if [ "${1:-}" != --installed ]; then
  repository
  modules=$(printf ',dev.cairn:%s' "${artifacts[@]}")
  maven -f "$root/pom.xml" -pl "${modules:1}" -Dmaven.test.skip=true -Dcheckstyle.skip -Dspotless.check.skip -Denforcer.skip \
    ${compiled[@]+"${compiled[@]}"} install
  say "installed in $((SECONDS - started)) s"
fi
awk '/^```java$/ {inside = 1; next} /^```$/ {if (inside) exit} inside' "$root/README.md" >"$work/source/Hello.java"
grep -q 'public static void main' "$work/source/Hello.java" || fail 1 "README's first Java block is no program" \
  "$work/source/Hello.java" "write it with imports and main"
"$java_home/bin/java" "${options[@]}" -cp "$root/runtime/cli/target/cairn/lib/*" dev.cairn.runtime.cli.Main zoo mlp \
  -o "$work/model.onnx" >/dev/null 2>&1 || fail 1 "the model could not be written" "cairn zoo mlp" "build Cairn: ./cairn version"
rm -rf "$work/lib"
maven -f "$here/pom.xml" package

count=$(find "$work/lib" -name '*.jar' | wc -l)
bytes=$(cat "$work"/lib/*.jar | wc -c)
say "$count jars, $(awk "BEGIN {printf \"%.1f\", $bytes / 1e6}") MB, for the processor"
[ "$count" -le "$most_jars" ] && [ "$bytes" -le "$most_bytes" ] || fail 1 "Cairn brings too much" \
  "jars=$count bytes=$bytes most=$most_jars/$most_bytes" "see $work/lib"
if ls "$work/lib" | grep -q 'jcuda\|dnnl'; then
  fail 1 "a native library is not optional" "$(ls "$work/lib" | grep 'jcuda\|dnnl')" "see runtime/cairn/pom.xml"
fi
runs without-flags -cp "$work/consumer.jar:$work/lib/*" Hello
runs with-vector-module --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED -cp "$work/consumer.jar:$work/lib/*" Hello
runs shaded -jar "$work/consumer-1-shaded.jar"
# What Maven would resolve on other machines: profiles of POMs look at these properties.
for platform in 'Linux aarch64' 'Mac OS X aarch64' 'Mac OS X x86_64' 'Windows 11 amd64'; do
  maven -f "$here/pom.xml" -Pcuda "-Dos.name=${platform% *}" "-Dos.arch=${platform##* }" \
    dependency:resolve
  say "resolves on ${platform% *} on ${platform##* }, with cairn-cuda too"
done
say "all in $((SECONDS - started)) s"
