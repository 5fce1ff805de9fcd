import { num, type PdfFile, type Ref, refTo, textString } from './file.ts'

/** The kinds of structure that a letter has (ISO 32000-1, 14.8.4). */
export type Kind =
  | 'Document'
  | 'P'
  | 'H1'
  | 'H2'
  | 'Span'
  | 'Figure'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Link'
  | 'Form'

interface Described {
  /** Read instead of what is drawn. */
  alt?: string
  /** Left, bottom, right, top in points. */
  box?: readonly [number, number, number, number]
}

/** An element of the structure; its content is numbers of marked pieces, or elements, in reading order. */
export interface Element {
  kind: Kind
  ref: Ref
  parent: Ref
  described: Described
  kids: (number | Element | { annotation: Ref })[]
}

/** The structure of one page: what a screen reader reads, in its order. */
export class Tags {
  readonly root: Element
  readonly #file: PdfFile
  readonly #tree: Ref
  readonly #all: Element[] = []
  /** By number of the marked piece, whose it is. */
  readonly #pieces: Element[] = []
  readonly #annotations: Element[] = []

  constructor(file: PdfFile) {
    this.#file = file
    this.#tree = file.reserve()
    this.root = this.#make('Document', this.#tree, {})
  }

  #make(kind: Kind, parent: Ref, described: Described): Element {
    const element = { kind, parent, described, ref: this.#file.reserve(), kids: [] }
    this.#all.push(element)
    return element
  }

  add(parent: Element, kind: Kind, described: Described = {}): Element {
    const element = this.#make(kind, parent.ref, described)
    parent.kids.push(element)
    return element
  }

  /** The first element of a kind, if there is one. */
  find(kind: Kind): Element | undefined {
    return this.#all.find(element => element.kind === kind)
  }

  /** A number for a piece of the page's content that belongs to `element`. */
  piece(element: Element): number {
    const id = this.#pieces.push(element) - 1
    element.kids.push(id)
    return id
  }

  /** Puts an annotation into the structure. @returns its `/StructParent` */
  annotation(element: Element, annotation: Ref): number {
    element.kids.push({ annotation })
    return this.#annotations.push(element)
  }

  /** Writes the structure. @returns the root, for the catalogue */
  write(page: Ref): Ref {
    const file = this.#file
    for (const element of this.#all) file.set(element.ref, this.#dictionary(element, page))
    const pieces = file.add(`[${this.#pieces.map(({ ref }) => refTo(ref)).join(' ')}]`)
    const parents = [
      `0 ${refTo(pieces)}`,
      ...this.#annotations.map(({ ref }, at) => `${at + 1} ${refTo(ref)}`),
    ]
    const parentTree = file.add(`<</Nums[${parents.join(' ')}]>>`)
    file.set(
      this.#tree,
      `<</Type/StructTreeRoot/K ${refTo(this.root.ref)}/ParentTree ${refTo(parentTree)}/ParentTreeNextKey ${parents.length}>>`,
    )
    return this.#tree
  }

  #dictionary({ kind, parent, described, kids }: Element, page: Ref): string {
    const content = kids.map(kid => {
      if (typeof kid === 'number') return String(kid)
      if ('annotation' in kid) return `<</Type/OBJR/Obj ${refTo(kid.annotation)}>>`
      return refTo(kid.ref)
    })
    const { alt, box } = described
    const attributes = [
      ...(kind === 'TH' ? ['<</O/Table/Scope/Column>>'] : []),
      ...(box ? [`<</O/Layout/Placement/Block/BBox[${box.map(num).join(' ')}]>>`] : []),
    ]
    return (
      `<</Type/StructElem/S/${kind}/P ${refTo(parent)}/Pg ${refTo(page)}/K[${content.join(' ')}]` +
      `${alt === undefined ? '' : `/Alt${textString(alt)}`}` +
      `${attributes.length > 0 ? `/A[${attributes.join('')}]` : ''}>>`
    )
  }
}
