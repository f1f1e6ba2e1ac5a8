// node --import ./test/support/offline.mjs …: a test that reaches for anything but this machine gets a network error at
// once, on every machine alike, and nothing is ever asked of a real service.
import net from 'node:net';

const isLoopback = (address) => /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address);
const refusal = (host) =>
  Object.assign(new Error(`connect ENETUNREACH ${host} (tests stay on this machine)`), {
    code: 'ENETUNREACH',
    syscall: 'connect',
  });

/** A look-up of the code under test may answer anything; only loopback answers are connected to. */
const guarded = (lookup) => (host, options, callback) =>
  lookup(host, options, (error, address, family) => {
    if (error) return callback(error, address, family);
    const all = Array.isArray(address) ? address.map((entry) => entry.address) : [address];
    return all.every(isLoopback) ? callback(null, address, family) : callback(refusal(host));
  });

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function guardedConnect(...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const host = typeof options === 'object' ? options.host : typeof args[1] === 'string' ? args[1] : undefined;
  const isLocal =
    options?.path !== undefined ||
    typeof options === 'string' ||
    host === undefined ||
    host === 'localhost' ||
    isLoopback(host);
  if (isLocal) return connect.apply(this, args);
  if (typeof options === 'object' && options.lookup && net.isIP(host) === 0) {
    options.lookup = guarded(options.lookup);
    return connect.apply(this, args);
  }
  process.nextTick(() => this.destroy(refusal(host)));
  return this;
};
