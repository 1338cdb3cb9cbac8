
# bash splits words at colons, which addresses have: with the functions of bash-completion they stay whole.
_NAME_with_addresses() {
    declare -F _get_comp_words_by_ref __ltrim_colon_completions >/dev/null || {
        _NAME "$@"
        return
    }
    local cur prev words cword
    _get_comp_words_by_ref -n : cur prev words cword
    local COMP_CWORD=$cword COMP_WORDS=("${words[@]}")
    _NAME "$1" "$cur" "$prev"
    case "${COMPREPLY[*]}" in
    *:*) compopt +o filenames ;;
    esac
    __ltrim_colon_completions "$cur"
}
complete -o filenames -F _NAME_with_addresses NAME
