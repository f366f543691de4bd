#!/usr/bin/env bash
# Writes the Javadoc of what users call into docs/api; begin at docs/api/index.html. Fails at the first warning.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf docs/api target/apidocs
modules=.,runtime/cli,adapters/langchain4j,adapters/spring-boot,adapters/djl
mvn -B -ntp -q -pl "$modules" -am "$@" compile
mvn -B -ntp -q -Papi -pl "$modules" -am "$@" validate
mv target/apidocs docs/api
echo "docs/api/index.html: $(find docs/api -name '*.html' | wc -l) pages"
