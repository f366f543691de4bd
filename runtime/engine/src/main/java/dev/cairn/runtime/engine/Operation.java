package dev.cairn.runtime.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of work, what it touches, and how it is to be run; made once and pushed any number of times, also before an
 * earlier push of it has ended. Immutable.
 */
public final class Operation {
  private final String name;
  private final Footprint footprint;
  private final Runnable work;
  private final Traits traits;

  Operation(String name, Footprint footprint, Runnable work, Traits traits) {
    this.name = name;
    this.footprint = footprint;
    this.work = work;
    this.traits = traits;
  }

  /** Normal work on the first processor group. */
  public static Operation of(String name, Footprint footprint, Runnable work) {
    return new Operation(name, footprint, work, Traits.DEFAULT);
  }

  /** @throws IllegalArgumentException when a variable is written twice, or both read and written */
  public static Operation of(String name, List<Variable> reads, List<Variable> writes, Runnable work) {
    return of(name, Footprint.of(reads, writes), work);
  }

  /** Work that ends when it says so. Its property is normal: a thread of its device starts it. */
  public static Operation async(String name, Footprint footprint, AsyncWork work) {
    return of(name, footprint, new AsyncBody(work));
  }

  /** Work that is given to a stream of its device, and has ended for those who come later on the host when it has. */
  public static Operation onStream(String name, Footprint footprint, ExecutionPlace place, StreamWork work) {
    return of(name, footprint, new StreamBody(work)).on(place);
  }

  public Operation with(FunctionProperty property) {
    return with(traits.withProperty(property));
  }

  public Operation on(ExecutionPlace place) {
    return with(traits.withPlace(place));
  }

  /** Among ready operations of a prioritised kind, higher goes first; among equals the one pushed first. */
  public Operation withPriority(int priority) {
    return with(traits.withPriority(priority));
  }

  /** The same operation, which overwrites all values: it runs even if the old ones were never computed. */
  public Operation overwriting() {
    return with(traits.overwriting());
  }

  /** Says where it is pushed, for errors. */
  public Operation at(String site) {
    return with(traits.at(site));
  }

  /** Says that it is pushed here, unless it says already where. */
  Operation atIfUnknown() {
    return traits.site() == null ? at(PushSite.capture()) : this;
  }

  private Operation with(Traits other) {
    return new Operation(name, footprint, work, other);
  }

  /** Work that comes after all uses of this operation so far, and always runs. */
  Operation deleting(Runnable last) {
    List<Variable> touched = new ArrayList<>(footprint.writes());
    touched.addAll(footprint.reads());
    return new Operation("delete " + name, Footprint.of(List.of(), touched), last, Traits.DELETE);
  }

  /** For people: errors and traces. */
  public String name() {
    return name;
  }

  public Footprint footprint() {
    return footprint;
  }

  public FunctionProperty property() {
    return traits.property();
  }

  public ExecutionPlace place() {
    return traits.place();
  }

  public int priority() {
    return traits.priority();
  }

  /** Whether all is done when the work returns. */
  boolean endsWithItsWork() {
    return !(work instanceof AsyncBody) && !(work instanceof StreamBody);
  }

  Runnable work() {
    return work;
  }

  Traits traits() {
    return traits;
  }

  /** Where it was pushed, as exactly as is known; at least the class that the work was written in. */
  String site() {
    String said = traits.site();
    if (said != null) {
      return said;
    }
    String type = origin().getName();
    int lambda = type.indexOf("$$Lambda");
    return lambda < 0 ? type : type.substring(0, lambda);
  }

  private Class<?> origin() {
    return switch (work) {
      case AsyncBody(AsyncWork async) -> async.getClass();
      case StreamBody(StreamWork onStream) -> onStream.getClass();
      case DeleteBody(Variable variable, Runnable last) -> last.getClass();
      default -> work.getClass();
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
