// Loaded before an earlier version of the portal, which cannot use an inherited socket: makes it listen on the socket that was
// opened for it.
import net from 'node:net'

const { listen } = net.Server.prototype
net.Server.prototype.listen = function (...args) {
  return listen.call(this, { fd: 3 }, args.at(-1))
}
