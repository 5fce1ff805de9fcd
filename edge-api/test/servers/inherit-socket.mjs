// Loaded before a version that cannot take over a listening socket yet: it listens on the one that was opened for it.
import net from 'node:net'

const { listen } = net.Server.prototype
net.Server.prototype.listen = function (...given) {
  return listen.call(this, { fd: 3 }, given.at(-1))
}
