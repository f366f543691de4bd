package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.OutputOption;
import dev.cairn.runtime.cli.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn version}. */
@Command
final class VersionCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec = CommandSpec.create();
  @Mixin
  private OutputOption output = new OutputOption();

  /** Cairn's own version, as the build wrote it. */
  static String cairnVersion() {
    var properties = new Properties();
    try (InputStream file = VersionCommand.class.getResourceAsStream("/dev/cairn/version.properties")) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      return "unknown (" + e.getMessage() + ")";
    }
    return properties.getProperty("version", "unknown");
  }

  private static String java() {
    return Runtime.version() + " (" + System.getProperty("java.vendor") + ")";
  }

  @Override
  public Integer call() {
    Map<String, Object> document = Json.document("version");
    document.put("cairn", cairnVersion());
    document.put("java", java());
    document.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    output.print(spec.commandLine().getOut(),
      "cairn %s%njava  %s%nos    %s".formatted(cairnVersion(), java(), document.get(
        "os")),
      document);
    return ExitCode.OK.number();
  }

  /** For {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"cairn " + cairnVersion()};
    }
  }
}
