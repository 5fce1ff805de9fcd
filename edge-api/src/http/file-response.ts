/** Responds with a file that browsers save under this name. */
export const respondWithFile = (body: BodyInit, type: string, name: string) =>
  new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  })
