import { formatNumber, type PdfFile, type Ref, refTo, textString } from './file.ts'

/** Structure types that a letter uses (ISO 32000-1, 14.8.4). */
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

interface ElementProperties {
  /** Alternative text for screen readers. */
  alt?: string
  /** Bounding box: left, bottom, right and top in points. */
  box?: readonly [number, number, number, number]
}

/**
 * A structure element. Its content, in reading order, is other elements and pieces of marked content, which are given by their
 * IDs.
 */
export interface Element {
  kind: Kind
  ref: Ref
  parent: Ref
  properties: ElementProperties
  kids: (number | Element | { annotation: Ref })[]
}

/** The structure tree of one page, in reading order. */
export class Tags {
  readonly root: Element
  readonly #file: PdfFile
  readonly #tree: Ref
  readonly #all: Element[] = []
  /** The element that owns each piece of marked content, by the piece's ID. */
  readonly #pieces: Element[] = []
  readonly #annotations: Element[] = []

  constructor(file: PdfFile) {
    this.#file = file
    this.#tree = file.reserve()
    this.root = this.#make('Document', this.#tree, {})
  }

  #make(kind: Kind, parent: Ref, properties: ElementProperties): Element {
    const element = { kind, parent, properties, ref: this.#file.reserve(), kids: [] }
    this.#all.push(element)
    return element
  }

  add(parent: Element, kind: Kind, properties: ElementProperties = {}): Element {
    const element = this.#make(kind, parent.ref, properties)
    parent.kids.push(element)
    return element
  }

  /** Returns the first element of a type, if any. */
  find(kind: Kind): Element | undefined {
    return this.#all.find(element => element.kind === kind)
  }

  /** Returns a new ID for a piece of marked content that `element` owns. */
  addPiece(element: Element): number {
    const id = this.#pieces.push(element) - 1
    element.kids.push(id)
    return id
  }

  /**
   * Adds an annotation to the structure.
   * @returns its `/StructParent`
   */
  addAnnotation(element: Element, annotation: Ref): number {
    element.kids.push({ annotation })
    return this.#annotations.push(element)
  }

  /**
   * Writes the structure tree.
   * @returns its root, for the catalog
   */
  write(page: Ref): Ref {
    const file = this.#file
    for (const element of this.#all) file.set(element.ref, this.#dictionary(element, page))
    const pieces = file.add(`[${this.#pieces.map(({ ref }) => refTo(ref)).join(' ')}]`)
    const parents = [
      `0 ${refTo(pieces)}`,
      ...this.#annotations.map(({ ref }, index) => `${index + 1} ${refTo(ref)}`),
    ]
    const parentTree = file.add(`<</Nums[${parents.join(' ')}]>>`)
    file.set(
      this.#tree,
      `<</Type/StructTreeRoot/K ${refTo(this.root.ref)}/ParentTree ${refTo(parentTree)}/ParentTreeNextKey ${parents.length}>>`,
    )
    return this.#tree
  }

  #dictionary({ kind, parent, properties, kids }: Element, page: Ref): string {
    const content = kids.map(kid => {
      if (typeof kid === 'number') return String(kid)
      if ('annotation' in kid) return `<</Type/OBJR/Obj ${refTo(kid.annotation)}>>`
      return refTo(kid.ref)
    })
    const { alt, box } = properties
    const attributes = [
      ...(kind === 'TH' ? ['<</O/Table/Scope/Column>>'] : []),
      ...(box ? [`<</O/Layout/Placement/Block/BBox[${box.map(formatNumber).join(' ')}]>>`] : []),
    ]
    return (
      `<</Type/StructElem/S/${kind}/P ${refTo(parent)}/Pg ${refTo(page)}/K[${content.join(' ')}]` +
      `${alt === undefined ? '' : `/Alt${textString(alt)}`}` +
      `${attributes.length > 0 ? `/A[${attributes.join('')}]` : ''}>>`
    )
  }
}
