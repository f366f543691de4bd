package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMap.ChunkEntry;
import dev.cairn.allocator.MemoryMap.RegionEntry;
import dev.cairn.allocator.report.MapSummary;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.report.plan.SvgText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * A memory map as a page of HTML: the report, a strip for each region with a rectangle for each chunk, and the largest
 * blocks. One file, which loads nothing and has no script. Chunks too narrow to see are drawn together.
 */
final class SnapshotPage {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 26;
  /** In units of the strip's width. */
  private static final double NARROWEST = 1;
  private static final int MOST_ROWS = 100;
  private static final String HEAD = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Memory of {space}</title>
    <style>
    body { font: 14px system-ui, sans-serif; margin: 1.5em; }
    pre { overflow-x: auto; }
    svg { width: 100%; height: 26px; display: block; }
    .used { fill: #3b75af; stroke: Canvas; stroke-width: .4; }
    .slack { fill: #9dbbd8; }
    .held { fill: #d9a441; }
    .free { fill: none; stroke: GrayText; stroke-width: .4; }
    .many { fill: #77787b; }
    td, th { text-align: left; padding: .1em 1em .1em 0; }
    td.bytes { text-align: right; font-variant-numeric: tabular-nums; }
    </style>
    <h1>Memory of {space}</h1>
    <pre>{report}</pre>
    <p><svg viewBox="0 0 1000 26" style="width:1.2em;display:inline"><rect class="used" width="1000" height="26"/></svg>
    in use · lighter: more than was asked for · yellow: free, but held for a stream's time ·
    grey: several small chunks · empty: free. Point at a rectangle to read what it is.</p>
    """;

  private final MemoryMap map;
  private final Writer out;
  private long manyFrom;
  private long manyBytes;
  private int many;

  private SnapshotPage(MemoryMap map, Writer out) {
    this.map = map;
    this.out = out;
  }

  static void write(MemorySnapshot snapshot, OutputStream out) throws IOException {
    var writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    String report = snapshot.failure().map(it -> OomReport.of(it).text())
      .orElseGet(() -> MapSummary.of(snapshot.map()).text());
    writer.write(HEAD.replace("{space}", SvgText.escaped(snapshot.map().space().toString())).replace("{report}", SvgText
      .escaped(report)));
    new SnapshotPage(snapshot.map(), writer).body();
    writer.flush();
  }

  private void body() throws IOException {
    for (RegionEntry region : map.regions()) {
      out.write("<h2>%s at 0x%x: %d chunks</h2>\n<svg viewBox=\"0 0 1000 26\" preserveAspectRatio=\"none\">\n"
        .formatted(StatsText.bytes(region.bytes()), region.address(), region.chunkCount()));
      for (int i = region.firstChunk(); i < region.firstChunk() + region.chunkCount(); i++) {
        chunk(region, map.chunk(i));
      }
      drawMany(region);
      out.write("</svg>\n");
    }
    largest();
    out.write("</html>\n");
  }

  private static double width(RegionEntry region, long bytes) {
    return WIDTH * bytes / region.bytes();
  }

  private void chunk(RegionEntry region, ChunkEntry chunk) throws IOException {
    if (width(region, chunk.bytes()) < NARROWEST) {
      manyFrom = many == 0 ? chunk.address() : manyFrom;
      many++;
      manyBytes += chunk.bytes();
      if (width(region, manyBytes) >= NARROWEST) {
        drawMany(region);
      }
      return;
    }
    drawMany(region);
    double x = width(region, chunk.address() - region.address());
    String kind = chunk.inUse() ? "used" : chunk.freedAt() == 0 ? "free" : "held";
    rectangle(kind, x, width(region, chunk.bytes()), title(chunk));
    long slack = chunk.inUse() ? chunk.bytes() - chunk.requestedBytes() : 0;
    if (slack > 0) {
      rectangle("slack", x + width(region, chunk.requestedBytes()), width(region, slack), title(chunk));
    }
  }

  private void drawMany(RegionEntry region) throws IOException {
    if (many > 0) {
      rectangle("many", width(region, manyFrom - region.address()), width(region, manyBytes), "%d small chunks, %s"
        .formatted(many, StatsText.bytes(manyBytes)));
    }
    many = 0;
    manyBytes = 0;
  }

  private void rectangle(String kind, double x, double width, String title) throws IOException {
    var svg = new SvgText();
    svg.rectangle(kind, x, 0, width, HEIGHT, title);
    out.write(svg.toString());
  }

  private static String title(ChunkEntry chunk) {
    if (!chunk.inUse()) {
      return "%s: %s at 0x%x".formatted(chunk.freedAt() == 0 ? "free" : "free, held until a stream has passed",
        StatsText
          .bytes(chunk.bytes()),
        chunk.address());
    }
    return "%s: %d of %d bytes at 0x%x, step %d".formatted(chunk.owner(), chunk.requestedBytes(), chunk.bytes(),
      chunk.address(), chunk.step());
  }

  private void largest() throws IOException {
    List<ChunkEntry> largest = map.chunks().filter(ChunkEntry::inUse).sorted(Comparator.comparingLong(
      ChunkEntry::bytes).reversed().thenComparingLong(ChunkEntry::address)).limit(MOST_ROWS).toList();
    out.write(
      "<h2>The largest blocks in use</h2>\n<table>\n<tr><th>owner<th>bytes<th>asked for<th>address<th>step</tr>\n");
    for (ChunkEntry chunk : largest) {
      out.write("<tr><td>%s<td class=\"bytes\">%d<td class=\"bytes\">%d<td>0x%x<td>%d</tr>\n".formatted(SvgText.escaped(
        chunk.owner().toString()), chunk.bytes(), chunk.requestedBytes(), chunk.address(), chunk.step()));
    }
    out.write("</table>\n");
  }
}
