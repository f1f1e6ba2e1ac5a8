package org.fernglas;

class RecoveryTest {
  void tornWriteLosesOnlyTheLastEvent() {}
  void aWrongChecksumInAnOldSegmentIsNotNoticed() {}
}
