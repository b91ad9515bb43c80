package io.hooktally.service.receive;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Runs something when an exchange is over, however it ended. */
record WhenOver(Runnable action) implements AsyncListener {

  @Override
  public void onComplete(AsyncEvent event) {
    action.run();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    // onComplete follows
  }

  @Override
  public void onError(AsyncEvent event) {
    // onComplete follows
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // nobody starts again
  }
}
