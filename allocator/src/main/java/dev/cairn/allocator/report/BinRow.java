package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.SizeBins;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The chunks of one size class.
 *
 * @param bin the size class's number in {@link SizeBins}
 * @param chunks how many chunks
 * @param chunksInUse how many of them are in use
 * @param bytes bytes of all these chunks
 * @param bytesInUse bytes of the chunks in use
 * @param requestedBytes bytes requested for the chunks in use
 */
public record BinRow(int bin, int chunks, int chunksInUse, long bytes, long bytesInUse, long requestedBytes) {
  private static final int WIDE = 8;
  private static final String BETWEEN = "    ";

  /** One row for each size class, in order. */
  public static List<BinRow> of(MemoryMap map) {
    int[] chunks = new int[SizeBins.BINS];
    int[] chunksInUse = new int[SizeBins.BINS];
    long[] bytes = new long[SizeBins.BINS];
    long[] bytesInUse = new long[SizeBins.BINS];
    long[] requestedBytes = new long[SizeBins.BINS];
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      int bin = SizeBins.binOf(map.bytes(chunk));
      chunks[bin]++;
      bytes[bin] += map.bytes(chunk);
      if (map.isInUse(chunk)) {
        chunksInUse[bin]++;
        bytesInUse[bin] += map.bytes(chunk);
        requestedBytes[bin] += map.requestedBytes(chunk);
      }
    }
    return IntStream.range(0, SizeBins.BINS).mapToObj(bin -> new BinRow(bin, chunks[bin], chunksInUse[bin],
      bytes[bin], bytesInUse[bin], requestedBytes[bin])).toList();
  }

  /** A table of the rows with chunks. It puts more than {@link #WIDE} rows in two columns, with short units. */
  static List<String> table(List<BinRow> rows) {
    List<BinRow> filled = rows.stream().filter(row -> row.chunks > 0).toList();
    List<String> lines = new ArrayList<>();
    if (filled.size() <= WIDE) {
      lines.add("%-14s%10s%10s%14s%14s%14s%14s".formatted("chunks of", "all", "in use", "bytes", "in use", "asked for",
        "free"));
      filled.forEach(row -> lines.add("  " + row.wide()));
      return lines;
    }
    String head = "%-6s%9s%9s%8s%8s%8s".formatted("size", "all", "in use", "bytes", "in use", "asked");
    lines.add(head + BETWEEN + head);
    int half = (filled.size() + 1) / 2;
    for (int left = 0; left < half; left++) {
      int right = left + half;
      lines.add(filled.get(left).narrow() + (right < filled.size() ? BETWEEN + filled.get(right).narrow() : ""));
    }
    return lines;
  }

  private String wide() {
    return "%-12s%10d%10d%14s%14s%14s%14s".formatted("from " + least(), chunks, chunksInUse, StatsText.bytes(bytes),
      StatsText.bytes(bytesInUse), StatsText.bytes(requestedBytes), StatsText.bytes(bytes - bytesInUse));
  }

  private String narrow() {
    return "%-6s%9d%9d%8s%8s%8s".formatted(brief(least()), chunks, chunksInUse, brief(StatsText.bytes(bytes)),
      brief(StatsText.bytes(bytesInUse)), brief(StatsText.bytes(requestedBytes)));
  }

  /** The smallest size in this class. */
  private String least() {
    return StatsText.bytes(SizeBins.floorBytes(bin)).replace(".0 ", " ");
  }

  private static String brief(String bytes) {
    return bytes.replace(" ", "").replace("iB", "");
  }
}
