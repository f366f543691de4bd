package dev.cairn.runtime.report.profile;

import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedRun;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which track shows what. A process of the format is a device; in it, each lane of overlapping runs has one thread for
 * whole runs and one for each stream.
 */
final class ProfileTracks {
  private final List<String> devices;
  private final int streams;
  private final int lanes;

  ProfileTracks(Trace trace) {
    Set<String> seen = new LinkedHashSet<>();
    int mostStreams = 1;
    int mostLanes = 1;
    for (TracedRun run : trace.runs()) {
      seen.add(run.graph().device());
      mostStreams = Math.max(mostStreams, run.graph().streams());
      mostLanes = Math.max(mostLanes, run.lane() + 1);
    }
    devices = List.copyOf(seen);
    streams = mostStreams;
    lanes = mostLanes;
  }

  /** One row of the viewer. */
  record Track(int process, int thread, String name) {}

  /** The track of whole runs. */
  Track of(TracedRun run) {
    return track(process(run), run.lane(), 0);
  }

  Track of(TracedRun run, int stream) {
    return track(process(run), run.lane(), 1 + stream);
  }

  private int process(TracedRun run) {
    return devices.indexOf(run.graph().device()) + 1;
  }

  private Track track(int process, int lane, int row) {
    String name = row == 0 ? "runs" : "stream " + (row - 1);
    return new Track(process, lane * (streams + 1) + row + 1, name + suffix(lane));
  }

  /** The counter of a lane's live bytes. */
  static String counter(TracedRun run) {
    return "live bytes" + suffix(run.lane());
  }

  List<Track> processes() {
    return IntStream.range(0, devices.size()).mapToObj(i -> new Track(i + 1, 0, devices.get(i))).toList();
  }

  /** The rows of all lanes, in the order in which they are to be shown. */
  List<Track> threads() {
    List<Track> tracks = new ArrayList<>();
    for (int process = 1; process <= devices.size(); process++) {
      for (int lane = 0; lane < lanes; lane++) {
        for (int row = 0; row <= streams; row++) {
          tracks.add(track(process, lane, row));
        }
      }
    }
    return tracks;
  }

  private static String suffix(int lane) {
    return lane == 0 ? "" : " (overlapping run %d)".formatted(lane + 1);
  }
}
