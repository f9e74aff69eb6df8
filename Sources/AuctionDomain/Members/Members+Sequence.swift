extension Members {
    /// Members from a list; of several entries for one user the last is kept.
    package init(_ members: some Sequence<Member>) {
        self.init()
        for member in members { set(member) }
    }
}
