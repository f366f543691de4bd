package dev.cairn.runtime.memory.planner.search;

/**
 * Which section a search decides next: that is, which item lies lowest in it. Only a section below whose items no other
 * item can come to lie is ready for that. Each choice is good at problems at which the others fail, so attempts take
 * turns.
 */
enum SectionChoice {
  /**
   * First a section to which at most one item can come and whose floor may not stay empty; then the lowest; of these,
   * the one with the fewest choices.
   */
  FORCED_THEN_LOW {
    @Override
    boolean isBetter(Skyline skyline, int section, int than) {
      int forced = Boolean.compare(isForced(skyline, section), isForced(skyline, than));
      int low = Long.compare(skyline.floor[section], skyline.floor[than]);
      int few = Long.compare(choices(skyline, section), choices(skyline, than));
      int tight = Long.compare(skyline.slack(section), skyline.slack(than));
      return forced != 0 ? forced > 0 : low != 0 ? low < 0 : few != 0 ? few < 0 : tight < 0;
    }
  },

  /** Like {@link #FORCED_THEN_LOW}, but among the lowest sections the one with the least slack. */
  FORCED_THEN_TIGHT {
    @Override
    boolean isBetter(Skyline skyline, int section, int than) {
      int forced = Boolean.compare(isForced(skyline, section), isForced(skyline, than));
      int low = Long.compare(skyline.floor[section], skyline.floor[than]);
      int tight = Long.compare(skyline.slack(section), skyline.slack(than));
      int few = Long.compare(choices(skyline, section), choices(skyline, than));
      return forced != 0 ? forced > 0 : low != 0 ? low < 0 : tight != 0 ? tight < 0 : few < 0;
    }
  },

  /** The section with the fewest choices; among such sections the one with the least slack, whatever the offset. */
  FEW_CHOICES {
    @Override
    boolean isBetter(Skyline skyline, int section, int than) {
      int few = Long.compare(choices(skyline, section), choices(skyline, than));
      return few != 0 ? few < 0 : skyline.slack(section) < skyline.slack(than);
    }
  },

  /** The fewest choices by failure: where attempts have failed most. */
  FAILED {
    @Override
    boolean isBetter(Skyline skyline, int section, int than) {
      double few = (double) choices(skyline, section) * (skyline.failures[than] + 1)
        - (double) choices(skyline, than) * (skyline.failures[section] + 1);
      return few != 0 ? few < 0 : skyline.slack(section) < skyline.slack(than);
    }
  };

  abstract boolean isBetter(Skyline skyline, int section, int than);

  /**
   * The section to decide in a range without cut points. In a valley, a run of equal floors between higher ones, every
   * item at the floor keeps within it, and so does all that could come below one.
   */
  int choose(Skyline skyline, int first, int last) {
    return skyline.part.contiguous ? inValleys(skyline, first, last) : amongLowest(skyline, first, last);
  }

  private int inValleys(Skyline skyline, int first, int last) {
    long[] floor = skyline.floor;
    int best = -1;
    int begin = first;
    while (begin <= last) {
      int end = begin;
      while (end < last && floor[end + 1] == floor[begin]) {
        end++;
      }
      boolean valley = (begin == first || floor[begin - 1] > floor[begin])
        && (end == last || floor[end + 1] > floor[end]);
      for (int section = begin; valley && section <= end; section++) {
        best = best < 0 || isBetter(skyline, section, best) ? section : best;
      }
      begin = end + 1;
    }
    return best;
  }

  private int amongLowest(Skyline skyline, int first, int last) {
    int best = first;
    for (int section = first + 1; section <= last; section++) {
      int low = Long.compare(skyline.floor[section], skyline.floor[best]);
      if (low < 0 || (low == 0 && isBetter(skyline, section, best))) {
        best = section;
      }
    }
    return best;
  }

  private static long choices(Skyline skyline, int section) {
    return skyline.ready[section] + (skyline.mayLeave(section) ? 1 : 0);
  }

  private static boolean isForced(Skyline skyline, int section) {
    return skyline.ready[section] <= 1 && !skyline.mayLeave(section);
  }
}
