import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A way to a server of this machine that can be lost and come back, as a network does. */
export interface BreakableConnection {
  /** The origin to use instead of the server's. */
  readonly origin: string;
  /** Connections that were tried, refused ones not included. */
  readonly accepted: number;
  /** Cuts every connection, and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function breakableConnection(target: string): Promise<BreakableConnection> {
  const { port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let accepted = 0;
  const make = () =>
    net.createServer((client) => {
      accepted += 1;
      const server = net.connect(Number(targetPort), '127.0.0.1');
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.pipe(server).pipe(client);
    });
  let listener = make().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const cut = async (): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, 'close');
    listener.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    get accepted() {
      return accepted;
    },
    cut,
    async restore() {
      listener = make().listen(port, '127.0.0.1');
      await once(listener, 'listening');
    },
    close: cut,
  };
}
