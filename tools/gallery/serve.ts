import { startGallery } from './server.ts'

const { url } = await startGallery(Number(process.env.PORT ?? 4330))
console.log(`ready ${url}`)
