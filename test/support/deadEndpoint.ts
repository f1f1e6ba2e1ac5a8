import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** An address of this machine at which every connection is refused: its port was free a moment ago. */
export async function deadEndpoint(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
