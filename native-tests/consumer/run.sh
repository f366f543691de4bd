#!/usr/bin/env bash
# Uses Cairn as a project outside of its build does: installs the artifacts into a folder, compiles README's program against them,
# and runs it without a JVM flag, with the vector module, as one shaded jar, and with CUDA on the simulator. Compiles it with Gradle,
# builds and starts a Spring Boot application, and resolves the artifacts for other platforms, too.
# Usage: run.sh [--built | --installed]: with the classes that a build has just made, or with what an earlier run has installed
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/cairn" # functions and options
find_java_home
most_jars=14 most_bytes=8000000
work=$here/target
artifacts=(cairn-parent cairn-testing cairn-runtime cairn-bom cairn-allocator cairn-kernels cairn-planner cairn-recompute cairn-graph cairn-compiler cairn-engine cairn-executor cairn-session cairn-arrays cairn-onnx cairn cairn-cuda
  cairn-onednn cairn-adapters cairn-spring-boot)
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
    cat "$out" "$err" >&2
    fail 1 "the program failed: $name" "java $*" "what it said is above"
  }
  if ! grep -q '^10 logits$' "$out" || ! grep -q '^planned .* ratio=1.0000' "$out" || grep -q 'Exception\|Error' "$err"; then
    cat "$out" "$err" >&2
    fail 1 "the program printed something else: $name" "java $*" "what it printed is above"
  fi
  say "$name: $(grep -m 1 '^10 logits$' "$out"); $(grep -c . "$err" || true) lines of warnings"
}

refuses() { # a name, words that the failure must have, then options of java
  local name=$1 words=$2 err=$work/$1.err status=0
  shift 2
  (cd "$work" && "$java_home/bin/java" "$@") >"$work/$name.out" 2>"$err" || status=$?
  if [ "$status" = 0 ] || ! grep -q "$words" "$err"; then
    cat "$work/$name.out" "$err" >&2
    fail 1 "the program should have failed and said: $words" "java $*, exit code $status" "what it printed is above"
  fi
  say "$name: refused, with exit code $status"
}

gradle_build() { # Debian's Gradle is of version 4 and cannot run on JDK 25; it compiles with that JDK's compiler
  local log=$work/gradle.log
  rm -rf "$work/gradle" "$work/gradle-lib"
  (
    unset JAVA_HOME
    export CONSUMER_REPOSITORY=$work/repository CONSUMER_JDK=$java_home GRADLE_USER_HOME=$work/gradle-home
    gradle --offline --no-daemon -p "$here" --project-cache-dir "$work/gradle-home/project" jar
  ) >"$log" 2>&1 || {
    cat "$log" >&2
    fail 1 "Gradle failed" "gradle jar" "what it said is above"
  }
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
  -o "$work/model.onnx" >/dev/null 2>&1 || fail 1 "the model could not be written" "cairn zoo mlp" "build Cairn: ./build.sh"
# The same program on a GPU: the class has another name, and the session's options the device.
sed -e 's/class Hello/class OnGpu/' -e 's/^import dev.cairn.runtime.session.Session;/&\nimport dev.cairn.runtime.session.SessionOptions;/' \
  -e 's/Path.of("model.onnx")/&, SessionOptions.DEFAULT.withDevice("cuda:0")/' "$work/source/Hello.java" >"$work/source/OnGpu.java"
# The same program with vector kernels, which a line of it and the manifest bring.
sed -e 's/class Hello/class WithVectors/' -e 's/^import dev.cairn.runtime.session.Session;/import dev.cairn.kernels.cpu.vector.VectorModule;\n&/' \
  -e 's/float.. values = /VectorModule.load();\n&/' -e 's/System.out.println("planned/System.out.println(session.kernels());\n&/' \
  "$work/source/Hello.java" >"$work/source/WithVectors.java"
rm -rf "$work/lib"
maven -f "$here/pom.xml" package

count=$(find "$work/lib" -name '*.jar' | wc -l)
bytes=$(cat "$work"/lib/*.jar | wc -c)
say "$count jars, $(awk "BEGIN {printf \"%.1f\", $bytes / 1e6}") MB, for the processor"
[ "$count" -le "$most_jars" ] && [ "$bytes" -le "$most_bytes" ] || fail 1 "Cairn brings too much" \
  "jars=$count bytes=$bytes most=$most_jars/$most_bytes" "see $work/lib"
for page in README.md docs/howto/deploy.md; do # what they say is true within 0.3 MB
  told=$(sed -n 's/.* \([0-9]*\) jars, \([0-9.]*\) MB.*/\1 \2/p' "$root/$page" | head -n 1)
  awk -v jars="$count" -v bytes="$bytes" -v told="$told" 'BEGIN {split(told, it, " "); off = bytes / 1e6 - it[2]
    exit !(it[1] == jars && off < 0.3 && off > -0.3)}' || fail 1 "$page has other numbers" "$told" "write $count jars and their MB"
done
if ls "$work/lib" | grep -q 'jcuda\|dnnl'; then
  fail 1 "a native library is not optional" "$(ls "$work/lib" | grep 'jcuda\|dnnl')" "see runtime/cairn/pom.xml"
fi
runs without-flags -cp "$work/consumer.jar:$work/lib/*" Hello
runs with-vector-module --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED -cp "$work/consumer.jar:$work/lib/*" Hello
runs shaded -jar "$work/consumer-1-shaded.jar"
cp "$work/consumer-1-shaded.jar" "$work/vectors.jar"
"$java_home/bin/jar" --update --file "$work/vectors.jar" --main-class WithVectors
runs shaded-with-vectors -jar "$work/vectors.jar"
grep -q '^vector .*portable$' "$work/shaded-with-vectors.out" || fail 1 "the manifest brings no vector kernels" \
  "$(tail -n 2 "$work/shaded-with-vectors.out")" "see docs/howto/deploy.md"

# JCuda is optional: without it the failure names the artifact; on a platform for which it has no natives, three lines say so.
refuses cuda-without-its-artifact 'cairn-cuda' -cp "$work/consumer.jar:$work/lib/*" OnGpu
maven -f "$here/pom.xml" -Pcuda dependency:copy-dependencies "-DoutputDirectory=$work/lib-cuda"
if [ -f "$root/native-tests/simulator/target/lib/libcuda.so.1" ]; then
  (
    export CAIRN_CUDA_DRIVER=$root/native-tests/simulator/target/lib/libcuda.so.1
    export CAIRN_CUDA_LIBRARIES=$root/native-tests/simulator/target/lib
    runs cuda-on-the-simulator -cp "$work/consumer.jar:$work/lib-cuda/*" OnGpu
  )
else
  say "cuda-on-the-simulator: skipped: no simulator (native-tests/simulator/build.sh needs g++)"
fi
for platform in 'Linux aarch64' 'Mac OS X aarch64' 'Mac OS X x86_64' 'Windows 11 amd64'; do
  name=$(tr -d ' ' <<<"no-natives-for-$platform")
  refuses "$name" 'no natives for this platform' "-Dos.name=${platform% *}" "-Dos.arch=${platform##* }" "${options[@]}" \
    -cp "$root/runtime/cli/target/cairn/lib/*" dev.cairn.runtime.cli.Main run mlp --require-gpu
  [ "$(grep -c . "$work/$name.err")" = 3 ] || fail 1 "the message does not have three lines" "$work/$name.err" "see Failure.java"
done

# A Spring Boot application, as one executable jar.
maven -f "$here/spring/pom.xml" package
runs spring-boot -jar "$here/spring/target/application.jar"
grep -q '^health UP$' "$work/spring-boot.out" && grep -q '^runs 1$' "$work/spring-boot.out" ||
  fail 1 "the application has no health or no metrics" "$work/spring-boot.out" "see adapters/spring-boot"

# Gradle takes the artifacts from the same folder.
if command -v gradle >/dev/null; then
  gradle_build
  runs gradle -cp "$work/gradle/libs/consumer.jar:$work/gradle-lib/*" Hello
else
  say "gradle: skipped: no gradle (Debian, Ubuntu: apt-get install gradle)"
fi

# What Maven would resolve on other machines: profiles of POMs look at these properties.
for platform in 'Linux aarch64' 'Mac OS X aarch64' 'Mac OS X x86_64' 'Windows 11 amd64'; do
  maven -f "$here/pom.xml" -Pcuda "-Dos.name=${platform% *}" "-Dos.arch=${platform##* }" \
    dependency:resolve
  say "resolves on ${platform% *} on ${platform##* }, with cairn-cuda too"
done
say "all in $((SECONDS - started)) s"
