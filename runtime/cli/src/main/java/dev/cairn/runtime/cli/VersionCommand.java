package dev.cairn.runtime.cli;

import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code cairn version}. */
@Command
final class VersionCommand extends CairnCommand {

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
  ExitCode execute() {
    Map<String, Object> document = Json.document("version");
    document.put("cairn", cairnVersion());
    document.put("java", java());
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    document.put("os", system);
    try (ProcessorKernels kernels = Backends.processorKernels(DeviceOptions.CPU, 1)) {
      document.put("kernels", kernels.description());
      print("cairn %s%njava  %s%nos    %s%nkernels %s".formatted(cairnVersion(), java(), system, kernels.description()),
        document);
    }
    return ExitCode.OK;
  }

  /** For {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"cairn " + cairnVersion()};
    }
  }
}
