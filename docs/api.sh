#!/usr/bin/env bash
# Writes the Javadoc of what users call into docs/api; begin at docs/api/index.html. Fails at the first warning.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf docs/api
mvn -B -ntp -q -Papi -pl .,runtime/cli,adapters/langchain4j,adapters/spring-boot,adapters/djl -am "$@" \
  compile org.apache.maven.plugins:maven-javadoc-plugin:aggregate-no-fork
echo "docs/api/index.html: $(find docs/api -name '*.html' | wc -l) pages"
