package dev.cairn.runtime.memory.analysis;

import java.util.List;

/**
 * A run on one or several streams: steps are issued in their order, each on its stream. A stream runs its steps one
 * after the other; before a step it waits for the events recorded after the steps it names. Nothing else is ordered,
 * and after the last step the caller waits for all streams. Text form: one line a step.
 *
 * @param streams at least 1
 * @param steps by step
 */
public record StreamSchedule(int streams, List<Step> steps) {
  /**
   * One step.
   *
   * @param stream from 0 on
   * @param waits steps of other streams, all of them issued before, after which this one may begin
   * @param uses the buffers that it reads and writes
   */
  public record Step(int stream, List<Integer> waits, StepUses.Step uses) {
    public Step {
      waits = List.copyOf(waits);
    }
  }

  public StreamSchedule {
    steps = List.copyOf(steps);
    for (Step step : steps) {
      if (step.stream < 0 || step.stream >= streams) {
        throw new IllegalArgumentException("no such stream: stream=%d streams=%d".formatted(step.stream, streams));
      }
    }
  }

  /** How many steps are waited for by another stream: the events a run needs. */
  public long events() {
    return steps.stream().flatMap(step -> step.waits().stream()).distinct().count();
  }

  /** How many steps run on the stream. */
  public long stepsOn(int stream) {
    return steps.stream().filter(step -> step.stream() == stream).count();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("%d steps on %d streams, %d events".formatted(steps.size(), streams,
      events()));
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      text.append("\n%d on %d".formatted(i, step.stream()))
        .append(step.waits().isEmpty() ? "" : " after " + step.waits())
        .append(" reads ").append(step.uses().reads()).append(" writes ").append(step.uses().writes());
    }
    return text.toString();
  }
}
