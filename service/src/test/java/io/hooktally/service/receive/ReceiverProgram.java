package io.hooktally.service.receive;

import io.hooktally.store.Database;
import io.hooktally.store.DatabaseAddress;
import io.hooktally.store.PoolOptions;
import io.hooktally.store.Secret;
import java.io.IOException;

/**
 * The receiver in a process of its own, without a dispatcher: URL, user and password of the
 * database as arguments; prints its port, and ends when its input does.
 */
final class ReceiverProgram {
  private ReceiverProgram() {}

  public static void main(String[] arguments) throws Exception {
    DatabaseAddress address =
        new DatabaseAddress(arguments[0], arguments[1], new Secret(arguments[2]));
    try (Database database = Database.open(address, PoolOptions.work("receiver", 4));
        ReceiverServer server =
            new ReceiverServer(
                    database.jdbi(),
                    new ReceiveLimits(1 << 20, 64L << 20, null),
                    ReceiverServer.source("shop", ReceiverServer.SECRET))
                .start()) {
      System.out.println(server.port());
      waitForEnd();
    }
    System.exit(0);
  }

  private static void waitForEnd() throws IOException {
    while (System.in.read() >= 0) {
      // Whoever started it lets go of it.
    }
  }
}
