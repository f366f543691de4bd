package dev.cairn.runtime.memory.order;

import java.util.List;

/**
 * The order that needs the least memory of all orders that the search saw.
 *
 * @param order the problem's nodes in the order to run them
 * @param peakBytes what it needs
 * @param givenPeakBytes what the given order needs, at least as much
 * @param optimal whether it is proved that no order needs less
 */
public record ChosenOrder(List<Integer> order, long peakBytes, long givenPeakBytes, boolean optimal) {
  public ChosenOrder {
    order = List.copyOf(order);
  }

  /** Whether it needs less than the given order; when it does not, it is the given order. */
  public boolean isBetter() {
    return peakBytes < givenPeakBytes;
  }
}
