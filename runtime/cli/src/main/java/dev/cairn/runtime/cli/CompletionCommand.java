package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.Json;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code cairn completion}: a script that makes bash and zsh complete verbs and options. */
@Command
final class CompletionCommand extends CairnCommand {
  private final RuntimeOptions runtime;

  CompletionCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() {
    String script = AutoComplete.bash("cairn", Main.withAllVerbs(runtime));
    Map<String, Object> document = Json.document("completion");
    document.put("script", script);
    print(script, document);
    return ExitCode.OK;
  }
}
