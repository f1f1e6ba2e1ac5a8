// Patterns of other languages than XML and HTML (13 kB) for is-unsafe, of which fast-xml-parser asks about these two alone.
export default [];
