package dev.cairn.runtime.cli;

import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.replay.ReplayResult;
import dev.cairn.allocator.replay.SmallestPool;
import dev.cairn.allocator.replay.TraceReplay;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.TraceNotes;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One trace under several policies: what each would have taken. Without a limit, a policy that takes its whole limit at
 * once is given the smallest that serves the trace.
 */
record ReplayTable(AllocationTrace trace, long limitBytes, boolean withSmallest, List<Row> rows) {
  /** Short traces are replayed for so long, so that their speed means something. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * One policy.
   *
   * @param smallest the smallest pool, where it was looked for and there is one
   */
  record Row(ReplayPolicy policy, ReplayResult result, OptionalLong smallest) {}

  /** @param clock nanoseconds, which says for how long short traces have been replayed */
  static ReplayTable of(AllocationTrace trace, List<ReplayPolicy> policies, long limitBytes, boolean withSmallest,
    LongSupplier clock) {
    List<Row> rows = new ArrayList<>();
    for (ReplayPolicy policy : policies) {
      boolean limitIsMissing = policy.needsLimit() && limitBytes == ReplayPolicy.NO_LIMIT;
      OptionalLong smallest = withSmallest || limitIsMissing ? SmallestPool.find(trace, policy) : OptionalLong.empty();
      long poolBytes = limitIsMissing ? smallest.orElse(trace.peakLiveBytes()) : limitBytes;
      rows.add(new Row(policy, TraceReplay.fastest(trace, policy, poolBytes, LEAST_NANOS, clock), smallest));
    }
    return new ReplayTable(trace, limitBytes, withSmallest, List.copyOf(rows));
  }

  boolean isServedByAny() {
    return rows.stream().anyMatch(row -> row.result().isServed());
  }

  long fewestRefusals() {
    return rows.stream().mapToLong(row -> row.result().refusals()).min().orElse(0);
  }

  String text(String file) {
    List<String> header = new ArrayList<>(List.of("policy", "reserved", "of live", "fragmentation", "regions",
      "refused", "M events/s"));
    if (withSmallest) {
      header.addAll(List.of("smallest pool", "of live"));
    }
    var table = new Table(header.toArray(String[]::new));
    rows.forEach(row -> table.row(cells(row)));
    var text = new StringBuilder("trace    %s: %,d events, %,d blocks%nlive     peak %s, never freed %,d blocks%n"
      .formatted(file, trace.eventCount(), trace.blockCount(), StatsText.bytes(trace.peakLiveBytes()), trace
        .neverFreed()));
    if (!trace.notes().equals(TraceNotes.NONE)) {
      text.append("notes    ").append(notes(trace.notes())).append(System.lineSeparator());
    }
    text.append(limitBytes == ReplayPolicy.NO_LIMIT
      ? "limit    none; pools of fixed size are the smallest that serve"
      : "limit    " + StatsText.bytes(limitBytes)).append(System.lineSeparator());
    return text.append(table.text("")).toString();
  }

  /** What the policies do. */
  String descriptions() {
    var table = new Table("policy", "what it does");
    rows.forEach(row -> table.row(row.policy().name(), row.policy().description()));
    return System.lineSeparator() + table.text("");
  }

  private Object[] cells(Row row) {
    ReplayResult result = row.result();
    List<Object> cells = new ArrayList<>(List.of(result.policy(), StatsText.bytes(result.peakReservedBytes()),
      ratio(result.reservedPerLive()), String.format(Locale.ROOT, "%.1f %%", 100 * result.fragmentation()), result
        .peakRegions(),
      result.refusals(), String.format(Locale.ROOT, "%.1f", result.eventsPerSecond() / 1e6)));
    if (withSmallest) {
      cells.add(row.smallest().isPresent() ? StatsText.bytes(row.smallest().getAsLong()) : "");
      cells.add(row.smallest().isPresent() ? ratio(perLive(row.smallest().getAsLong())) : "");
    }
    return cells.toArray();
  }

  private double perLive(long bytes) {
    return trace.peakLiveBytes() == 0 ? 1 : (double) bytes / trace.peakLiveBytes();
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private static String notes(TraceNotes notes) {
    List<String> facts = new ArrayList<>();
    add(facts, notes.heldFromStart(), "held before the trace began");
    add(facts, notes.impliedFrees(), "with a free that is missing");
    add(facts, notes.strayFrees(), "freed when free, left out");
    add(facts, notes.empties(), "of no bytes, left out");
    add(facts, notes.failures(), "refused when recorded, left out");
    return String.join("; ", facts);
  }

  private static void add(List<String> facts, long count, String what) {
    if (count > 0) {
      facts.add("%,d %s".formatted(count, what));
    }
  }

  Map<String, Object> document(String file) {
    Map<String, Object> document = Json.document("mem replay");
    document.put("trace", file);
    document.put("events", trace.eventCount());
    document.put("blocks", trace.blockCount());
    document.put("peakLiveBytes", trace.peakLiveBytes());
    document.put("neverFreed", trace.neverFreed());
    document.put("heldFromStart", trace.notes().heldFromStart());
    document.put("impliedFrees", trace.notes().impliedFrees());
    document.put("strayFrees", trace.notes().strayFrees());
    document.put("empties", trace.notes().empties());
    document.put("failures", trace.notes().failures());
    document.put("policies", rows.stream().map(ReplayTable::document).toList());
    return document;
  }

  private static Map<String, Object> document(Row row) {
    ReplayResult result = row.result();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("policy", result.policy());
    document.put("description", row.policy().description());
    if (result.limitBytes() != ReplayPolicy.NO_LIMIT) {
      document.put("limitBytes", result.limitBytes());
    }
    document.put("peakReservedBytes", result.peakReservedBytes());
    document.put("reservedPerLive", result.reservedPerLive());
    document.put("fragmentation", result.fragmentation());
    document.put("peakRegions", result.peakRegions());
    document.put("refusals", result.refusals());
    document.put("nanos", result.nanos());
    document.put("eventsPerSecond", result.eventsPerSecond());
    row.smallest().ifPresent(bytes -> document.put("smallestPoolBytes", bytes));
    return document;
  }
}
