package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.BinRow;
import dev.cairn.allocator.report.MapSummary;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.OwnerShare;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.option.DumpFile;
import dev.cairn.runtime.cli.option.FileUse;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.report.dump.InvalidDump;
import dev.cairn.runtime.report.dump.MemoryDumps;
import dev.cairn.runtime.report.dump.MemorySnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn mem show}: a memory dump as a screen for people, or in another format. */
@Command(name = "show", description = "Show a memory dump, or write it in another format.")
final class MemShowCommand extends CairnCommand {
  @FileUse(FileUse.Kind.READ)
  @Parameters(index = "0", paramLabel = "DUMP.json", description = "A dump that 'cairn run --memory-dump' wrote.")
  private Path dump = Path.of("");

  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--to", paramLabel = "FILE", converter = DumpFile.Converter.class,
    description = "Write it to this file instead: .html (a page for browsers), .txt (every chunk), .pickle (for "
      + "PyTorch's memory viewer) or .json.")
  private @Nullable DumpFile to;

  @Override
  ExitCode execute() throws IOException {
    MemorySnapshot snapshot = read();
    if (to == null) {
      show(snapshot);
    } else {
      convert(snapshot, to.path());
    }
    return ExitCode.OK;
  }

  private MemorySnapshot read() throws IOException {
    if (Files.isDirectory(dump)) {
      throw unreadable(dump + ": it is a folder");
    }
    try {
      return MemoryDumps.read(dump);
    } catch (InvalidDump e) {
      throw unreadable(String.valueOf(e.getMessage()));
    }
  }

  private static Failure.Known unreadable(String reason) {
    return new Failure.Known(ExitCode.OTHER, "the memory dump cannot be read", reason,
      "give a .json file that 'cairn run --memory-dump' wrote");
  }

  private void show(MemorySnapshot snapshot) {
    Optional<OomReport> report = snapshot.failure().map(OomReport::of);
    MapSummary summary = report.map(OomReport::summary).orElseGet(() -> MapSummary.of(snapshot.map()));
    Map<String, Object> document = Json.document("mem show");
    document.put("space", snapshot.map().space().toString());
    report.ifPresent(it -> {
      document.put("reason", it.reason().word());
      document.put("bytesShort", it.failure().bytesShort());
      document.put("owner", it.failure().owner().toString());
      it.releasingSet().ifPresent(set -> document.put("releasableBytes", set.bytes()));
    });
    document.put("poolBytes", snapshot.map().stats().poolBytes());
    document.put("bytesInUse", snapshot.map().stats().bytesInUse());
    document.put("largestOwners", summary.largestOwners().stream().map(MemShowCommand::document).toList());
    document.put("bins", summary.bins().stream().map(MemShowCommand::document).toList());
    print(report.map(OomReport::text).orElseGet(summary::text), document);
  }

  private static Map<String, Object> document(OwnerShare share) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("owner", share.owner().toString());
    document.put("blocks", share.blocks());
    document.put("bytes", share.bytes());
    document.put("sinceStep", share.sinceStep());
    document.put("sinceId", share.sinceId());
    return document;
  }

  private static Map<String, Object> document(BinRow row) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("bin", row.bin());
    document.put("chunks", row.chunks());
    document.put("chunksInUse", row.chunksInUse());
    document.put("bytes", row.bytes());
    document.put("bytesInUse", row.bytesInUse());
    document.put("requestedBytes", row.requestedBytes());
    return document;
  }

  private void convert(MemorySnapshot snapshot, Path file) throws IOException {
    MemoryDumps.write(snapshot, file);
    Map<String, Object> document = Json.document("mem show");
    document.put("file", file.toString());
    document.put("bytes", Files.size(file));
    document.put("chunks", snapshot.map().chunkCount());
    print("%s: %d chunks, %s".formatted(file, snapshot.map().chunkCount(), StatsText.bytes(Files.size(file))),
      document);
  }
}
