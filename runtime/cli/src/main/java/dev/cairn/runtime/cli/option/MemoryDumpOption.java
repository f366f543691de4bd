package dev.cairn.runtime.cli.option;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.report.dump.MemoryDumps;
import dev.cairn.runtime.report.dump.MemorySnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where to write every chunk of memory when there is too little of it. */
@HelpSection.In(HelpSection.MEMORY)
public final class MemoryDumpOption {
  @HelpSection.Common
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--memory-dump", paramLabel = "FILE", converter = DumpFile.Converter.class,
    description = "When memory runs out, write every chunk to this file: .html, .txt, .json (for 'cairn mem "
      + "show') or .pickle (for PyTorch's memory viewer).")
  private @Nullable DumpFile file;

  /** Writes the file if one was asked for, and names it. */
  public Optional<Path> write(OutOfMemory failure) throws IOException {
    if (file == null) {
      return Optional.empty();
    }
    MemoryDumps.write(MemorySnapshot.of(failure), file.path());
    return Optional.of(file.path());
  }
}
