package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.cli.text.Json;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Option;

/** Text for people or one JSON document for programs. */
public final class OutputOption {
  @HelpSection.Common
  @Option(names = "--format", paramLabel = "text|json", defaultValue = "text",
    description = "Output format. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.TEXT;

  /** Writes one of the two. */
  public boolean isJson() {
    return format == Format.JSON;
  }

  public void print(PrintWriter out, String text, Map<String, Object> document) {
    out.println(switch (format) {
      case TEXT -> text.stripTrailing();
      case JSON -> Json.text(document);
    });
  }
}
