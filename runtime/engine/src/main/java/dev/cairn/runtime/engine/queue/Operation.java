package dev.cairn.runtime.engine.queue;

import dev.cairn.runtime.engine.failure.NamedWork;
import dev.cairn.runtime.engine.stream.StreamWork;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of work, what it touches, and how it is to be run; made once and pushed any number of times, also before an
 * earlier push of it has ended. Immutable.
 */
public final class Operation implements NamedWork {
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

  /**
   * Work on the first processor group that takes a few microseconds, and neither waits nor pushes: where it is ready
   * and no other operation is before it, it may run in the call that pushes it. To hand it to another thread would take
   * longer.
   */
  public static Operation brief(String name, Footprint footprint, Runnable work) {
    return new Operation(name, footprint, work, Traits.BRIEF);
  }

  /** Says where it is pushed, for errors. */
  public Operation at(String site) {
    return with(traits.at(site));
  }

  /** Whether {@link #at} said where it is pushed. */
  public boolean hasSite() {
    return traits.site() != null;
  }

  private Operation with(Traits other) {
    return new Operation(name, footprint, work, other);
  }

  /** Work that comes after all uses of the variable, and always runs: the last operation that the variable takes. */
  public static Operation deleting(Variable variable, ExecutionPlace place, Runnable work) {
    return new Operation(variable.name(), Footprint.writing(variable), work, place.equals(ExecutionPlace.CPU)
      ? Traits.DELETE
      : Traits.DELETE.withPlace(place));
  }

  /** Work that comes after all uses of this operation so far, and always runs. */
  public Operation deleting(Runnable last) {
    List<Variable> touched = new ArrayList<>(footprint.writes());
    touched.addAll(footprint.reads());
    return new Operation(name, Footprint.of(List.of(), touched), last, Traits.DELETE);
  }

  /** Several that were held back, as one at this one's place. */
  Operation together(Footprint touched, List<Operation> all) {
    return of("bulk", touched, new BulkBody(all)).on(place());
  }

  /** For people: errors and traces. */
  @Override
  public String name() {
    return property() == FunctionProperty.DELETE ? "delete " + name : name;
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

  /** Whether it runs although old values of what it writes were never computed. */
  public boolean overwrites() {
    return traits.overwrites();
  }

  /** Whether {@link #brief} made it, or the operation that it was made of. */
  public boolean isBrief() {
    return traits.isBrief();
  }

  /** Whether all is done when the work returns. */
  public boolean endsWithItsWork() {
    return !(work instanceof AsyncBody) && !(work instanceof StreamBody);
  }

  /** Whether it may be put together with others. */
  boolean mayBeBulked() {
    return isPlain() && endsWithItsWork();
  }

  /** Whether it may be fused with others; work for a stream is put together in no other way. */
  boolean mayBeFused() {
    return isPlain() && !(work instanceof AsyncBody);
  }

  private boolean isPlain() {
    return traits.property() == FunctionProperty.NORMAL && traits.priority() == 0;
  }

  /** Whether it ends with its work, on a thread for normal work of the first processor group, as nearly all do. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isUsual() {
    if (!endsWithItsWork()) {
      return false;
    }
    return traits == Traits.DEFAULT || traits == Traits.BRIEF
      || (place().equals(ExecutionPlace.CPU) && switch (property()) {
        case NORMAL, NO_SKIP, DELETE -> true;
        case ASYNC, COPY_FROM_GPU, COPY_TO_GPU, CPU_PRIORITIZED, GPU_PRIORITIZED -> false;
      });
  }

  /** What it does; for engines, which look at its class. */
  public Runnable work() {
    return work;
  }

  /** Where it was pushed, as exactly as is known; at least the class that the work was written in. */
  @Override
  public String site() {
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
      case StreamedDelete(Variable _, var last) -> last.getClass();
      default -> work.getClass();
    };
  }

  @Override
  public String toString() {
    return name();
  }
}
