// A circuit relay of js-libp2p, for tests: node relay.mjs HOST PORT [KNOWN] prints its peer id and serves until it is
// killed. KNOWN: the address of another node; this one is then no relay, and tells of that one.

// Node before 22 lacks this; the packages use it as soon as they are loaded.
Promise.withResolvers ??= function () {
  let resolve, reject
  const promise = new this((yes, no) => { resolve = yes; reject = no })
  return { promise, resolve, reject }
}

const { createLibp2p } = await import('libp2p')
const { noise } = await import('@chainsafe/libp2p-noise')
const { yamux } = await import('@chainsafe/libp2p-yamux')
const { circuitRelayServer } = await import('@libp2p/circuit-relay-v2')
const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys')
const { identify } = await import('@libp2p/identify')
const { kadDHT } = await import('@libp2p/kad-dht')
const { ping } = await import('@libp2p/ping')
const { multiaddr } = await import('@multiformats/multiaddr')
const { tcp } = await import('@libp2p/tcp')

const [host, port, known] = process.argv.slice(2)
const node = await createLibp2p({
  privateKey: await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(known ? 8 : 7)),
  addresses: { listen: [`/ip4/${host}/tcp/${port}`] },
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()],
  services: {
    identify: identify(),
    directory: kadDHT({ clientMode: false, protocol: '/ipfs/kad/1.0.0', peerInfoMapper: (info) => info }),
    ping: ping(),
    // The default limit ends each circuit after two minutes or 128 KiB.
    ...(known ? {} : { relay: circuitRelayServer({ reservations: { applyDefaultLimit: false } }) })
  }
})
if (known) await node.dial(multiaddr(known))
console.log(node.peerId.toString())
