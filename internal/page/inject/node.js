// browse.nodeOf hands out an element of this world's table, for commands of the
// protocol that want the node itself.
browse.nodeOf = (id) => targetOf(id);
